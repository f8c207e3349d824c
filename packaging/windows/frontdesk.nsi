; The installer for Windows: for one person, so that nobody has to be an administrator.
; makensis -DFOLDER=... -DVERSION=... -DICON=... -DOUT=... frontdesk.nsi
Unicode true
ManifestDPIAware true
RequestExecutionLevel user
SetCompressor /SOLID lzma
Name "Front Desk"
OutFile "${OUT}"
InstallDir "$LOCALAPPDATA\Programs\Front Desk"
InstallDirRegKey HKCU "Software\Front Desk" "Folder"
Icon "${ICON}"
UninstallIcon "${ICON}"
!define CLASSES "Software\Classes"
!define TYPE "FrontDesk.Connection"
!define KNOWN "Software\Microsoft\Windows\CurrentVersion\Uninstall\Front Desk"

Page directory
Page instfiles
UninstPage uninstConfirm
UninstPage instfiles

Section
  ; What an older version had and this one has not must not stay beside it.
  RMDir /r "$INSTDIR\_internal"
  SetOutPath "$INSTDIR"
  File /r "${FOLDER}/*"
  File "/oname=frontdesk.ico" "${ICON}"
  WriteUninstaller "$INSTDIR\uninstall.exe"
  WriteRegStr HKCU "Software\Front Desk" "Folder" "$INSTDIR"

  CreateDirectory "$SMPROGRAMS\Front Desk"
  CreateShortcut "$SMPROGRAMS\Front Desk\Front Desk.lnk" "$INSTDIR\frontdesk.exe"
  CreateShortcut "$SMPROGRAMS\Front Desk\Add a person.lnk" "$INSTDIR\frontdesk.exe" "add"
  CreateShortcut "$SMPROGRAMS\Front Desk\Add from a list.lnk" "$INSTDIR\frontdesk.exe" "import"

  WriteRegStr HKCU "${CLASSES}\.frontdesk" "" "${TYPE}"
  WriteRegStr HKCU "${CLASSES}\${TYPE}" "" "Front Desk connection file"
  WriteRegStr HKCU "${CLASSES}\${TYPE}\DefaultIcon" "" "$INSTDIR\frontdesk.ico"
  WriteRegStr HKCU "${CLASSES}\${TYPE}\shell\open\command" "" '"$INSTDIR\frontdesk.exe" "%1"'

  WriteRegStr HKCU "${KNOWN}" "DisplayName" "Front Desk"
  WriteRegStr HKCU "${KNOWN}" "DisplayVersion" "${VERSION}"
  WriteRegStr HKCU "${KNOWN}" "DisplayIcon" "$INSTDIR\frontdesk.ico"
  WriteRegStr HKCU "${KNOWN}" "UninstallString" '"$INSTDIR\uninstall.exe"'
  WriteRegDWORD HKCU "${KNOWN}" "NoModify" 1
  WriteRegDWORD HKCU "${KNOWN}" "NoRepair" 1
  System::Call 'shell32::SHChangeNotify(i 0x08000000, i 0, p 0, p 0)'
SectionEnd

; What was kept for the person lies in another folder and stays.
Section "Uninstall"
  RMDir /r "$SMPROGRAMS\Front Desk"
  DeleteRegKey HKCU "${CLASSES}\${TYPE}"
  DeleteRegKey HKCU "${CLASSES}\.frontdesk"
  DeleteRegKey HKCU "${KNOWN}"
  DeleteRegKey HKCU "Software\Front Desk"
  RMDir /r "$INSTDIR\_internal"
  Delete "$INSTDIR\frontdesk.exe"
  Delete "$INSTDIR\frontdesk.ico"
  Delete "$INSTDIR\uninstall.exe"
  RMDir "$INSTDIR"
  System::Call 'shell32::SHChangeNotify(i 0x08000000, i 0, p 0, p 0)'
SectionEnd
