"""Which first names are short for which, in several languages: a small table of our own making.

It knows names as they are compared; what a short name is worth is decided in `scoring`.
"""

from collections.abc import Iterator, Mapping
from functools import cache

from app.people.duplicates.names import compared

_TABLE = """
aaron: ron ronnie
abigail: abby abbie gail
abraham: abe bram
adelaide: addie heidi
adelheid: heidi
agnes: aggie nessie
agnieszka: aga agusia
albert: al bert bertie
alejandra: ale sandra
alejandro: ale alex jandro
aleksander: olek alek
aleksandra: ola olka
alessandra: ale sandra
alessandro: ale sandro
alexander: alex al sandy alec lex sascha sasha xander
alexandra: alex alexa sandra sandy lexi lexie sascha sasha
alfonso: poncho fonso
alfred: al alf alfie fred freddie
alison: ali allie
andrea: andi andy drea
andreas: andi andy
andrew: andy drew
andrzej: andrew jedrek
angela: angie angy
anna: ann anne annie ania anja anka nan nancy
anneliese: anne liesel
anthony: tony ant
antonia: toni tonia
antonio: toni tony tonio tonho toninho toño
arthur: art artie
barbara: barb babs barbie basia babsi bärbel
bartholomew: bart
bartosz: bartek
beatrice: bea bee trixie
beatriz: bea bia
benedict: ben benny
benedikt: ben bene
benjamin: ben benny benji benjy
bernadette: bernie detta
bernard: bernie bern
bernhard: bernd berni
bradley: brad
brigitte: gitte gitta
calvin: cal
cameron: cam
candace: candy
carl: charlie kalle
carlos: carlitos calo
carolina: caro carol lina
caroline: caro carol carrie caz lina line
catherine: cath cathy cat kate katie kathy kitty cate catie
cecilia: cissy celia ceci
charles: charlie chuck chas chaz chip
charlotte: charlie lottie lotte lotta
christian: chris
christina: chris tina chrissie chrissy christa
christine: chris tina chrissie chrissy
christopher: chris kit topher
christoph: chris stoph
clara: claire
concepción: concha conchita
cornelia: conny connie nele
cornelius: cees kees neil
cynthia: cindy
daniel: dan danny dani
daniela: dani
david: dave davy davey
deborah: deb debbie debby debra
dennis: denny
diana: di
dolores: lola loli
dominic: dom nic
dominik: domi nik
donald: don donny donnie
dorothea: dora dorle thea doro
dorothy: dot dottie dolly dora
douglas: doug
edith: edie
edmund: ed eddie ted
eduardo: edu lalo dudu
edward: ed eddie ted teddy ned
edwin: ed eddie
eleanor: ellie nell nellie nora ella lena
elisabeth: lisa elise elsbeth betty sissi liesl bettina else lisbeth liesbeth ella
elizabeth: liz lizzie lizzy beth betty betsy bess eliza libby lisa elsie lisbeth liza
elżbieta: ela ala
emilia: emmi mila emi
emily: em emmy millie
emma: em emmy
enrique: kike quique
eric: rick ricky
ernest: ernie
esperanza: espe lancha
esther: essie hettie
eugene: gene
eva: evi evita
evelyn: evie eve
ewa: ewka
ferdinand: ferdi nando
fernanda: fer nanda
fernando: fer nando
florence: flo florrie flossie
frances: fran franny fanny frankie
francesca: fran franca cesca
francesco: franco checco
francis: frank fran frankie
francisca: paca paqui chica
francisco: paco pancho fran curro kiko chico
franklin: frank
franz: franzl
franziska: franzi sissi
françois: fanfan
frederick: fred freddie freddy rick
friedrich: fritz fred friedel
gabriel: gabe gabi gaby
gabriela: gabi gaby gabriella
gabriele: gabi gaby
geoffrey: geoff jeff
georg: schorsch jörg
george: georgie
gerald: gerry jerry
gerard: gerry ger
gerhard: gerd hardy
gertrude: gertie trudy trude
giovanni: gianni nanni vanni
giuseppe: beppe peppe pino
gloria: glo
gonzalo: gonza chalo
grace: gracie
graciela: chela
graham: gray
gregory: greg
grzegorz: grzesiek grzes
guadalupe: lupe lupita
guillaume: gui
guillermo: memo guille
günther: günni
gustav: gus
hannah: hanna nan
hannelore: hanne lore
hans: hansi
harold: harry hal
harriet: hattie
heather: hettie
heinrich: heinz heini heiner
helen: nell nellie lena
helena: lena hela
helene: lena leni
henrietta: hetty etta
henry: harry hal hank
herbert: bert herb herbie
hermann: männe
hildegard: hilde hilda
howard: howie
hubert: bert hub hubi
ignacio: nacho
ignatius: iggy
ingeborg: inge
irene: rena
isaac: ike zac
isabel: isa bel chabela belinha
isabella: bella izzy isa belle
isabelle: isa belle izzy
isidro: chiro
jacek: jacus
jacob: jake cob coby
jacqueline: jackie jacqui jacky
jacques: jacquot
jadwiga: jadzia
jaime: jimmy
jakob: jockel köbi
jakub: kuba
james: jim jimmy jamie jem jimmie
jan: janek
jane: janie jenny
janet: jan
janice: jan
jarosław: jarek
jason: jay
jean: jeannot
jeffrey: jeff
jennifer: jen jenny jenn jennie
jeremiah: jerry jem
jeremy: jem jerry
jerome: jerry
jessica: jess jessie
jesús: chuy chucho
joan: joanie
joanna: jo asia joasia
joanne: jo
joaquín: quino chimo
johann: hans hannes
johanna: hanna hanne jo
johannes: hans hannes jo johan jan
john: jack johnny jon jock
jonathan: jon jonny nathan
jorge: coque
josé: pepe chepe zé zezinho
josef: sepp jupp beppo pepi
joseph: joe joey jo jos
josephine: jo josie fifi
josefa: pepa
joshua: josh
joyce: joy
józef: józek
juan: juanito juancho
judith: judy jude
julia: julie jules jule
julian: jules
juliana: juli
justin: jus
karl: kalle charly
karoline: karo lina line
katarzyna: kasia kaśka
katharina: kathi käthe kati katja trine rina nina
katherine: kate katie kathy kat kitty kathie kay
kathleen: kathy kath kate kay
kathryn: kathy kate katie kath
kenneth: ken kenny
kimberly: kim
klaus: klausi
konrad: kurt konny
krzysztof: krzysiek krzys
lawrence: larry laurie lars
laurence: larry laurie
leonard: leo len lenny
leonardo: leo nardo
leopold: leo poldi
leticia: lety
lidia: lida
lillian: lil lily lilly
linda: lin lindy
lorenzo: enzo renzo lencho
louis: lou louie
louisa: lou
louise: lou lulu
lourdes: lulu
lucas: luke
lucia: lucy
lucía: lucy chia
luciana: lu
lucille: lucy lou
ludwig: wiggerl lutz
luis: lucho
luise: lulu
łukasz: łuki
lydia: liddy
madeleine: maddie mado
madeline: maddie maddy
magdalena: magda lena leni
małgorzata: gosia małgosia gośka
manfred: manni fred
manuel: manolo manny manu lolo
marcin: marcinek
marcus: marc mark
margaret: maggie meg peggy marge margie greta daisy madge molly mags rita peg maisie
margarete: grete gretel margret greta gretchen rita
margarita: rita marga
margherita: rita
maria: mia mary mitzi marie maja ria
maría: mari maruja
mariana: mari
marianne: nanni janne
marie: mimi
marjorie: marge margie
martha: marty
martin: marty
martina: tina
mary: molly polly mamie may
mateusz: mati
mathilde: tilda tilly
matilda: tilly tilda mattie
matthew: matt matty mat
matthias: matze hias matti
maurice: moe mo
maximilian: max maxi
maximiliano: max maxi
mercedes: merche meche
michael: mike mick mickey micky michi mikey mischa
michał: michałek
michaela: micha michi
michel: michou
michelle: shelly chelle
miguel: migue mike
mildred: millie
mirosław: mirek
mohammad: mo
mohammed: mo
moritz: mo
nathan: nate nat
nathaniel: nate nat nathan
natalia: nati natalka tala
natalie: nat
nicholas: nick nicky nico
nicola: nicky nikki
nicolas: nico nick
nicole: nicky nikki
nikolaus: klaus niklas nico niko
norman: norm
olga: olenka
oliver: ollie olli
olivia: liv livvy ollie
oscar: ossie
óscar: oska
pamela: pam
patrick: pat paddy rick
patricia: pat patty trish tricia patsy pati patti
patrizia: pat patty
paul: pauly pauli
paula: pauli
pauline: polly
paulina: paula
pavel: pasha
paweł: pawełek
penelope: penny
peter: pete
petra: peti
philip: phil pip
philipp: phil lipp
phyllis: phyl
piotr: piotrek
prudence: prue
rachel: rach rae shelly
rafael: rafa rafi
rafał: rafałek
ramón: moncho
raphael: raph rafi
raymond: ray
rebecca: becky becca beck
reginald: reg reggie
reinhard: reini
reinhold: reini
renate: reni
ricardo: rick richi ricky cardo
richard: rick dick rich ricky richie
robert: bob rob bobby robbie bert robby
roberto: beto berto tito
rodrigo: rodri
roland: rolli rollo
ronald: ron ronnie
rosa: rosita rosie
rosalia: lia rosa
rosemarie: romy rosi
rosemary: rose rosie
rosario: charo
rudolf: rudi rolf
russell: russ
ruth: ruthie
salvador: salva chava
salvatore: toto totò turi
samantha: sam sammy
samuel: sam sammy
sandra: sandy
sarah: sally sadie
sara: sadie
sebastian: seb basti wastl bas
sebastián: seba sebas
sergio: checo
sidney: sid
sigismund: sigi
siegfried: sigi siggi
sigrid: siggi
silvia: silvi
simon: si
sławomir: sławek
sofia: sofi
sofía: sofi
sophia: sophie
sophie: soph
stanisław: staszek stasiek
stanley: stan
stefan: steff stef
stefanie: steffi
stephanie: steph steffi stevie
stephan: steph
stephen: steve stevie
steven: steve stevie
susan: sue susie suzie suzy
susana: susi
susanna: sue susie
susanne: susi sanne
suzanne: sue suzie suzy
sylvia: syl
tadeusz: tadek
tamara: tammy
teresa: tere terry tess tessa
teresita: tere
terence: terry
thaddeus: tad
theodor: theo
theodore: ted teddy theo
theresa: terry tess tessa tracy resi
therese: resi
thomas: tom tommy thom
timothy: tim timmy
tobias: tobi toby
tomasz: tomek
urszula: ula
ursula: uschi ulla ursel
valentina: vale tina
valerie: val
vanessa: nessa
veronica: ronnie vero nica
veronika: vroni vera
verónica: vero
vicente: chente
victor: vic
victoria: vicky vic tori vicki vikki
viktoria: vicky vicki
vincent: vince vinnie vin
virginia: ginny ginger
vivian: viv
walter: walt wally walti
wilhelm: willi willy helm
wilhelmina: mina willa minna
william: bill will billy willie liam willy
winifred: winnie fred
władysław: władek
wolfgang: wolf wolfi
xavier: xavi
yolanda: yoli
yvonne: eve
zachary: zach zack zac
zbigniew: zbyszek
zdzisław: zdzich
zofia: zosia
zsuzsanna: zsuzsa
erzsébet: erzsi bözsi
istván: pista isti
józsef: jóska
ferenc: feri
lászló: laci
katalin: kati
sándor: sanyi
αικατερίνη: κατερίνα καίτη
γεώργιος: γιώργος
δημήτριος: δημήτρης μήτσος
ελένη: λένα
ιωάννης: γιάννης
κωνσταντίνος: κώστας ντίνος
μαρία: μαίρη
νικόλαος: νίκος
александр: саша шура саня сашко олесь
александра: саша шура
алексей: леша алеша
анастасия: настя
анатолий: толя
андрей: андрюша
анна: аня нюра
борис: боря
валентина: валя
василий: вася
виктор: витя
владимир: володя вова
галина: галя
георгий: гоша жора
григорий: гриша
дарья: даша
дмитрий: дима митя
евгений: женя
евгения: женя
екатерина: катя
елена: лена алёна
елизавета: лиза
иван: ваня
ирина: ира
константин: костя
ксения: ксюша
людмила: люда мила
мария: маша маруся
михаил: миша
надежда: надя
наталья: наташа
николай: коля
ольга: оля
павел: паша
пётр: петя
роман: рома
светлана: света
семён: сёма
сергей: серёжа
софья: соня
станислав: стас слава
татьяна: таня
тамара: тома
фёдор: федя
юлия: юля
юрий: юра
яков: яша
микола: коля
олександр: сашко олесь саша
михайло: мишко
володимир: володя вова
тетяна: таня
aleksandr: sasha sascha shura
alexei: alyosha lyosha
anastasia: nastya ana stacy stacey tasia
dmitri: dima mitya
ekaterina: katya
elena: lena lenka
ivan: vanya
mikhail: misha
natalia: natasha
nikolai: kolya
svetlana: sveta
tatiana: tanya tania
vladimir: vova volodya vlad
yevgeny: zhenya
adrián: adri
alberto: beto berto
alicia: ali licha
ana: anita
augusto: guto
augustin: gus
augustine: gus
agustín: tin
cristina: cris tina
cristóbal: tobal
felipe: pipe lipe
gustavo: gus tavo
ignacy: ignas
joana: jo
joão: joãozinho
letícia: lê
luiz: luizinho
paulo: paulinho
pedro: pedrinho perico
raimundo: mundo
raúl: rulo
rosângela: rô
teodoro: teo
tiago: ti
domenico: mimmo nico
filippo: pippo
giacomo: mino
luigi: gigi gino
matteo: teo
michele: lino
pasquale: lino
raffaele: lello
vincenzo: enzo
antoinette: toinette
antoine: toine tonio
bernadett: detti
catherine: cathou
christophe: chris tophe
dominique: dom domi
emmanuel: manu manny
emmanuelle: manu emma
frédéric: fred
jean-baptiste: jb
marguerite: margot
mathieu: mat
nathalie: nath
philippe: phil
stéphane: steph
sébastien: seb
thierry: titi
véronique: véro
vincente: vince
alida: lida
adrianus: ad adri arie
antonius: anton ton toon
catharina: trijntje rina toos
gerardus: gerard ger gerrit
gijsbert: gijs
hendrik: henk rik
hendrika: riek rika
jacobus: jaap koos kobus
johanna: jannie annie
lambertus: bert lammert
leendert: leen
petronella: nel nelleke
pieter: piet
theodorus: theo dorus
wilhelmus: wim willem
willem: wim pim
anders: ante
birgitta: gittan
fredrik: fredde
gunilla: gun
katarina: kattis
kristina: kicki stina tina
lars: lasse
margareta: greta maggan
mikael: micke
nils: nisse
olof: olle
per: pelle
sven: svenne
abdul rahman: abdo
fatima: fatma fati tuma
ibrahim: ibo ebou
khadija: khadi dija
mehmet: memo
mustafa: mus mustu
muhammad: mo
yusuf: yus
oluwaseun: seun
oluwatobi: tobi
oluwafemi: femi
chukwuemeka: emeka
ngozi: goz
"""


@cache
def _tables() -> tuple[Mapping[str, tuple[str, ...]], Mapping[str, tuple[str, ...]]]:
    """The short forms of each name, and the names that each is short for, as compared."""
    shorts: dict[str, list[str]] = {}
    longs: dict[str, list[str]] = {}
    for line in _TABLE.strip().splitlines():
        name, _, forms = line.partition(":")
        whole = compared(name)
        for form in map(compared, forms.split()):
            if form != whole:
                shorts.setdefault(whole, []).append(form)
                longs.setdefault(form, []).append(whole)
    return (
        {name: tuple(dict.fromkeys(forms)) for name, forms in shorts.items()},
        {form: tuple(dict.fromkeys(names)) for form, names in longs.items()},
    )


def short_forms(name: str) -> tuple[str, ...]:
    """What somebody of that first name (as compared) may be called for short."""
    return _tables()[0].get(name, ())


def long_forms(name: str) -> tuple[str, ...]:
    """What that first name (as compared) may be short for."""
    return _tables()[1].get(name, ())


def siblings(name: str) -> Iterator[str]:
    """Other short forms of what that first name is short for: Liz and Beth."""
    for whole in long_forms(name):
        for form in short_forms(whole):
            if form != name:
                yield form
