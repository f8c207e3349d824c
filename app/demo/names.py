"""A table: names of many cultures in their own scripts, of which the invented people are made."""

import msgspec


class Culture(msgspec.Struct, frozen=True):
    """Sixteen first and sixteen last names that belong together.

    `handles` spell the last names in plain letters for addresses; blank where folding is enough.
    The joiners go between two first names and between two last names of one person.
    """

    firstnames: tuple[str, ...]
    lastnames: tuple[str, ...]
    handles: tuple[str, ...] = ()
    first_joiner: str = " "
    last_joiner: str = "-"


def _list(names: str) -> tuple[str, ...]:
    return tuple(names.split(", "))


CULTURES = (
    Culture(
        _list(
            "Alice, Benjamin, Charlotte, Edward, Florence, George, Heather, Isaac, "
            "Judith, Kenneth, Lydia, Martin, Naomi, Oliver, Patricia, Samuel"
        ),
        _list(
            "Ashworth, Barlow, Carmichael, Dunstan, Ellsworth, Fenwick, Garland, Holloway, "
            "Irvine, Kingsley, Langford, Merriweather, "
            "Norwood, Pemberton, Radcliffe, Thorne"
        ),
    ),
    Culture(
        _list(
            "明, 芳, 强, 丽, 建国, 桂英, 志强, 淑华, 晓东, 雪梅, 文博, 思远, 佳怡, 子涵, 浩然, 静"
        ),
        _list("张, 刘, 陈, 杨, 赵, 黄, 周, 吴, 徐, 孙, 马, 朱, 胡, 郭, 何, 欧阳"),
        _list(
            "zhang, liu, chen, yang, zhao, huang, zhou, wu, xu, sun, ma, zhu, hu, guo, he, ouyang"
        ),
        first_joiner="",
        last_joiner="",
    ),
    Culture(
        _list(
            "Agnieszka, Bartosz, Celina, Dariusz, Elżbieta, Grzegorz, Halina, Jarosław, "
            "Katarzyna, Michał, Małgorzata, Paweł, Róża, Sławomir, Urszula, Wojciech"
        ),
        _list(
            "Nowak, Wiśniewski, Dąbrowski, Kamiński, "
            "Szymański, Woźniak, Kozłowski, Jankowski, "
            "Mazur, Kwiatkowski, Krawczyk, Piotrowski, Grabowski, Pawłowski, Król, Wróbel"
        ),
    ),
    Culture(
        _list(
            "Adaeze, Babajide, Chiamaka, Emeka, Folake, Ikenna, Kelechi, Lanre, "
            "Ngozi, Obinna, Sade, Tunde, Uchenna, Yetunde, Zikora, Ayọ̀"
        ),
        _list(
            "Abiola, Balogun, Chukwu, Danjuma, Eze, Fashola, Ibrahim, Lawal, "
            "Musa, Nwosu, Obi, Ogunleye, Okoro, Olawale, Sowande, Uzoma"
        ),
    ),
    Culture(
        _list(
            "さくら, 蓮, 陽菜, 大翔, 結衣, 翔太, 葵, 健一, "
            "由美子, 直樹, 恵, 拓海, 千尋, 悠真, 明美, 修"
        ),
        _list(
            "鈴木, 高橋, 田中, 伊藤, 渡辺, 山本, 中村, 小林, "
            "加藤, 吉田, 山田, 佐々木, 松本, 井上, 木村, 清水"
        ),
        _list(
            "suzuki, takahashi, tanaka, ito, watanabe, "
            "yamamoto, nakamura, kobayashi, kato, "
            "yoshida, yamada, sasaki, matsumoto, inoue, kimura, shimizu"
        ),
        first_joiner="",
        last_joiner="",
    ),
    Culture(
        _list(
            "Astrid, Bjørn, Dagny, Eirik, Frøya, Gunnar, Håkon, Ingrid, "
            "Kåre, Liv, Magnus, Øyvind, Ragnhild, Søren, Tuva, Åse"
        ),
        _list(
            "Aasen, Bjørnstad, Dahl, Engebretsen, Fjeldstad, Grønning, Haugen, Iversen, "
            "Kjær, Lønning, Møller, Nygård, Østergaard, Rasmussen, Sørensen, Ødegård"
        ),
    ),
    Culture(
        _list(
            "Александр, Валентина, Григорий, Екатерина, Иван, Ксения, Людмила, Михаил, "
            "Наталья, Олег, Полина, Сергей, Татьяна, Фёдор, Юлия, Ярослав"
        ),
        _list(
            "Бондаренко, Волошин, Гончаренко, Ефименко, "
            "Журавель, Зайченко, Кравец, Литвиненко, "
            "Мельник, Онищенко, Поляк, Романенко, Савченко, Ткаченко, Черненко, Щербак"
        ),
        _list(
            "bondarenko, voloshyn, honcharenko, yefimenko, zhuravel, zaichenko, kravets, "
            "lytvynenko, melnyk, onishchenko, poliak, romanenko, savchenko, tkachenko, "
            "chernenko, shcherbak"
        ),
    ),
    Culture(
        _list(
            "Ana, Bruno, Conceição, Diego, Estêvão, Fátima, Gonçalo, Inês, "
            "João, Lúcia, Marcos, Núria, Paulo, Raúl, Sofía, Tomé"
        ),
        _list(
            "Almeida, Barros, Cardoso, da Silva, dos Santos, Esteves, Fernández, García, "
            "Hernández, Lourenço, Magalhães, Núñez, Pereira, Quintão, Rodríguez, Simões"
        ),
    ),
    Culture(
        _list(
            "أحمد, فاطمة, خالد, ليلى, عمر, زينب, حسن, سارة, "
            "إبراهيم, نور, سامي, هدى, طارق, رنا, جمال, سلمى"
        ),
        _list(
            "النجار, الخطيب, حداد, خوري, صالح, عيسى, الشامي, ناصر, "
            "بشارة, قاسم, الصباغ, حنا, رزق, سليمان, عوض, غانم"
        ),
        _list(
            "najjar, khatib, haddad, khoury, saleh, issa, shami, nasser, bishara, qasim, "
            "sabbagh, hanna, rizk, suleiman, awad, ghanem"
        ),
        last_joiner=" ",
    ),
    Culture(
        _list(
            "Aoife, Brendan, Caoimhe, Dónal, Éabha, Fionn, Gráinne, Íde, "
            "Labhrás, Máire, Niamh, Oisín, Róisín, Séamus, Tadhg, Úna"
        ),
        _list(
            "Ó Briain, Ní Cheallaigh, Mac Cárthaigh, "
            "Ó Dálaigh, Ní Fhloinn, Ó Gallchobhair, "
            "Mac Gearailt, Ó hUiginn, Ó Laoire, Ní Mhurchú, "
            "Ó Néill, Breathnach, Ó Ríordáin, "
            "Mac Suibhne, Ó Tuathail, de Búrca"
        ),
    ),
    Culture(
        _list(
            "지우, 서준, 하은, 도윤, 수빈, 예준, 지민, 현우, "
            "유진, 은서, 태민, 영희, 철수, 미경, 성호, 다은"
        ),
        _list("이, 최, 정, 강, 조, 윤, 장, 임, 한, 오, 서, 신, 권, 황, 안, 송"),
        _list(
            "lee, choi, jung, kang, cho, yoon, jang, lim, "
            "han, oh, seo, shin, kwon, hwang, ahn, song"
        ),
        first_joiner="",
        last_joiner="",
    ),
    Culture(
        _list(
            "Annika, Björn, Çelik, Dörte, Friederike, Götz, Heinz, Ilse, "
            "Jörg, Käthe, Lieselotte, Matthias, Renate, Sören, Ulrike, Volker"
        ),
        _list(
            "Böhm, Dreßler, Eßer, Fröhlich, Großmann, Hübner, Jäger, Köhler, "
            "Löffler, Müller, Pfeiffer, Rößler, Schäfer, Strauß, Vogt, Zöllner"
        ),
    ),
    Culture(
        _list(
            "Αγγελική, Βασίλης, Δέσποινα, Ευάγγελος, Ζωή, Ηλίας, Θεοδώρα, Ιωάννης, "
            "Κατερίνα, Λεωνίδας, Μαρία, Νίκος, Ουρανία, Παύλος, Σοφία, Χρήστος"
        ),
        _list(
            "Αθανασίου, Βλάχος, Γεωργίου, Δημητρίου, "
            "Ευθυμίου, Ζαφείρης, Ιωαννίδης, Καραγιάννης, "
            "Λαμπρόπουλος, Μακρής, Οικονόμου, Παππάς, Ράπτης, Σταύρου, Τσακίρης, Χατζής"
        ),
        _list(
            "athanasiou, vlachos, georgiou, dimitriou, efthymiou, zafeiris, ioannidis, "
            "karagiannis, lampropoulos, makris, oikonomou, "
            "pappas, raptis, stavrou, tsakiris, "
            "chatzis"
        ),
    ),
    Culture(
        _list(
            "आरव, अनन्या, रोहन, दीपिका, विकास, मीरा, संजय, कविता, "
            "राहुल, नेहा, अमित, सुनीता, कृष्ण, लक्ष्मी, मोहन, गीता"
        ),
        _list(
            "वर्मा, गुप्ता, सिंह, मिश्रा, जोशी, यादव, रेड्डी, नायर, "
            "मेहता, चौधरी, दुबे, त्रिपाठी, अय्यर, देसाई, कपूर, भट्ट"
        ),
        _list(
            "verma, gupta, singh, mishra, joshi, yadav, "
            "reddy, nair, mehta, chaudhary, dubey, "
            "tripathi, iyer, desai, kapoor, bhatt"
        ),
    ),
    Culture(
        _list(
            "Bảo, Châu, Đức, Giang, Hạnh, Khánh, Lan, Mỹ, "
            "Ngọc, Phúc, Quỳnh, Sơn, Thảo, Tuấn, Việt, Yến"
        ),
        _list("Bùi, Đặng, Đinh, Đỗ, Dương, Hoàng, Hồ, Huỳnh, Lê, Lý, Mai, Ngô, Phạm, Phan, Võ, Vũ"),
        last_joiner=" ",
    ),
    Culture(
        _list(
            "Anneke, Bram, Cornelis, Daan, Eveline, Femke, Geert, Hendrik, "
            "Joost, Katelijne, Lotte, Maarten, Noor, Roos, Sjoerd, Thijs"
        ),
        _list(
            "van den Heuvel, de Jong, van Dijk, Bakker, "
            "Janssens, ter Horst, van 't Hoff, Mulder, "
            "de Groot, Vermeulen, van Leeuwen, Peeters, op den Kamp, Smit, van Rijn, Claes"
        ),
    ),
    Culture(
        _list(
            "אברהם, אסתר, בנימין, דבורה, חנה, יעקב, יצחק, לאה, "
            "מיכאל, מרים, נתן, רבקה, רחל, שמואל, שרה, תמר"
        ),
        _list(
            "כהן, מזרחי, פרץ, ביטון, דהן, אברמוב, פרידמן, אזולאי, "
            "מלכה, גבאי, יוסף, עמר, חדד, שפירא, אוחיון, סגל"
        ),
        _list(
            "cohen, mizrahi, peretz, biton, dahan, "
            "avramov, friedman, azoulay, malka, gabay, "
            "yosef, amar, hadad, shapira, ohayon, segal"
        ),
    ),
    Culture(
        _list(
            "Adèle, Benoît, Chloé, Desirée, Étienne, Françoise, Gaëlle, Hélène, "
            "Jérôme, Léa, Maëlys, Noël, Œdile, Rémi, Solène, Zoé"
        ),
        _list(
            "Beaufort, Château, Desrosiers, Évrard, Fournier, Gagné, Hébert, L'Écuyer, "
            "Lœvenbruck, Marchand, Pélissier, Rivière, "
            "Saint-Pierre, Thériault, de Villiers, Vœux"
        ),
    ),
    Culture(
        _list(
            "Ayşe, Barış, Canan, Doğan, Elif, Fırat, Gülşen, Hakkı, "
            "İpek, Kadir, Leyla, Nazlı, Özgür, Pınar, Şükrü, Zeynep"
        ),
        _list(
            "Aydın, Bayraktar, Çalışkan, Demir, Erdoğan, Güneş, Işık, Karataş, "
            "Korkmaz, Öztürk, Polat, Şahin, Taşkın, Uçar, Yalçın, Yılmaz"
        ),
    ),
    Culture(
        _list(
            "Alena, Břetislav, Čestmír, Dorottya, Eszter, Ferenc, György, Ildikó, "
            "Jiří, Květa, Luděk, Milada, Ondřej, Přemysl, Rózsa, Štěpán"
        ),
        _list(
            "Bílek, Čermák, Dvořák, Fazekas, Horváth, Hruška, Jelínek, Kőszegi, "
            "Löwy, Németh, Novotný, Růžička, Szabó, Šťastný, Tóth, Žák"
        ),
    ),
)
