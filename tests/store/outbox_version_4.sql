-- An outbox as version 4 wrote it. Not to be edited: whoever has one must find it again.
BEGIN TRANSACTION;
CREATE TABLE batch_rows (
            place INTEGER PRIMARY KEY AUTOINCREMENT,
            id TEXT NOT NULL UNIQUE,
            rows TEXT NOT NULL
        );
INSERT INTO "batch_rows" VALUES(1,'0000000000000000000000000000000a/000000','9bafaecbfa6225e4 [{"line":2,"cells":["Eve Øst","8@x.org","choir"],"new_person":{"firstname":"Eve","lastname":"Øst","email":"8@x.org","phone":"","leftover":"choir"},"left_out":""},{"line":3,"cells":["Ada Lovelace","1@x.org",""],"new_person":null,"left_out":"already here"}]');
CREATE TABLE batches (
            place INTEGER PRIMARY KEY AUTOINCREMENT,
            id TEXT NOT NULL UNIQUE,
            batch TEXT NOT NULL
        );
INSERT INTO "batches" VALUES(1,'0000000000000000000000000000000a','76cf9472dac570e2 {"id":"0000000000000000000000000000000a","name":"sign-up.csv","headings":["Name","Mail","Note"],"taken_at":"2024-05-03T12:08:00Z","rows":2,"total":1,"paused":true,"end":null}');
CREATE TABLE entries (
            place INTEGER PRIMARY KEY AUTOINCREMENT,
            id TEXT NOT NULL UNIQUE,
            revision INTEGER NOT NULL,
            state TEXT NOT NULL,
            entry TEXT NOT NULL
        );
INSERT INTO "entries" VALUES(1,'00000000000000000000000000000001',1,'waiting','{"outbox_entry":1,"sum":"0d0557445c507fb8","revision":1,"bytes":412,"entry":{"id":"00000000000000000000000000000001","typed":"Ada Lovelace","new_person":{"firstname":"Ada","lastname":"Lovelace","email":"1@x.org","phone":"","leftover":""},"state":"waiting","typed_at":"2024-05-03T12:01:00Z","send_at":"2024-05-03T12:01:05Z","reason":"","person_id":null,"known_ids":[],"knew_all":false,"doubt":"looking","looks":0,"candidate_id":null,"candidate_added":null,"ended_at":null,"taken_off":null}}');
INSERT INTO "entries" VALUES(2,'00000000000000000000000000000002',2,'sending','{"outbox_entry":1,"sum":"850b0b1693ad3ce5","revision":2,"bytes":409,"entry":{"id":"00000000000000000000000000000002","typed":"Łucja Øst","new_person":{"firstname":"Łucja","lastname":"Øst","email":"2@x.org","phone":"","leftover":""},"state":"sending","typed_at":"2024-05-03T12:02:00Z","send_at":"2024-05-03T12:02:05Z","reason":"","person_id":null,"known_ids":[],"knew_all":true,"doubt":"looking","looks":0,"candidate_id":null,"candidate_added":null,"ended_at":null,"taken_off":null}}');
INSERT INTO "entries" VALUES(3,'00000000000000000000000000000003',1,'not sure','{"outbox_entry":1,"sum":"5545d47ac8c6ecf0","revision":1,"bytes":428,"entry":{"id":"00000000000000000000000000000003","typed":"山田 太郎","new_person":{"firstname":"山田","lastname":"太郎","email":"3@x.org","phone":"","leftover":""},"state":"not sure","typed_at":"2024-05-03T12:03:00Z","send_at":"2024-05-03T12:03:05Z","reason":"No reply.","person_id":null,"known_ids":["k-1"],"knew_all":true,"doubt":"looking","looks":0,"candidate_id":null,"candidate_added":null,"ended_at":null,"taken_off":null}}');
INSERT INTO "entries" VALUES(4,'00000000000000000000000000000004',1,'refused','{"outbox_entry":1,"sum":"c51981136e131678","revision":1,"bytes":449,"entry":{"id":"00000000000000000000000000000004","typed":"Bob O''Brien","new_person":{"firstname":"Bob","lastname":"O''Brien","email":"4@x.org","phone":"","leftover":""},"state":"refused","typed_at":"2024-05-03T12:04:00Z","send_at":"2024-05-03T12:04:05Z","reason":"The name is too long.","person_id":null,"known_ids":[],"knew_all":false,"doubt":"looking","looks":0,"candidate_id":null,"candidate_added":null,"ended_at":"2024-05-03T12:00:00Z","taken_off":null}}');
INSERT INTO "entries" VALUES(8,'0000000000000000000000000000000a.000000',1,'waiting','{"outbox_entry":1,"sum":"9a26b6480985772c","revision":1,"bytes":490,"entry":{"id":"0000000000000000000000000000000a.000000","typed":"Eve Øst 8@x.org","new_person":{"firstname":"Eve","lastname":"Øst","email":"8@x.org","phone":"","leftover":"choir"},"state":"waiting","typed_at":"2024-05-03T12:08:00Z","send_at":"2024-05-03T12:08:00Z","reason":"","person_id":null,"known_ids":[],"knew_all":false,"doubt":"looking","looks":0,"candidate_id":null,"candidate_added":null,"ended_at":null,"taken_off":null,"sent_again":0,"batch":"0000000000000000000000000000000a","row":0}}');
CREATE TABLE facts (name TEXT PRIMARY KEY, value TEXT NOT NULL) WITHOUT ROWID;
INSERT INTO "facts" VALUES('account','c4cb6fd34d1a3479 an-id https://a.example.org');
INSERT INTO "facts" VALUES('draft','Grace Ho');
INSERT INTO "facts" VALUES('sum','00006d2956760405c610');
INSERT INTO "facts" VALUES('version','4');
CREATE TABLE history (
            place INTEGER PRIMARY KEY AUTOINCREMENT,
            id TEXT NOT NULL UNIQUE,
            revision INTEGER NOT NULL,
            state TEXT NOT NULL,
            person_id TEXT,
            entry TEXT NOT NULL
        );
INSERT INTO "history" VALUES(1,'00000000000000000000000000000005',2,'added','p-1','{"outbox_entry":1,"sum":"5b38e6d26e6f14de","revision":2,"bytes":421,"entry":{"id":"00000000000000000000000000000005","typed":"Hana Kim","new_person":{"firstname":"Hana","lastname":"Kim","email":"5@x.org","phone":"","leftover":""},"state":"added","typed_at":"2024-05-03T12:05:00Z","send_at":"2024-05-03T12:05:05Z","reason":"","person_id":"p-1","known_ids":[],"knew_all":false,"doubt":"looking","looks":0,"candidate_id":null,"candidate_added":null,"ended_at":"2024-05-03T12:06:00Z","taken_off":null}}');
INSERT INTO "history" VALUES(2,'00000000000000000000000000000006',2,'waiting',NULL,'{"outbox_entry":1,"sum":"f2839102a6634d73","revision":2,"bytes":422,"entry":{"id":"00000000000000000000000000000006","typed":"Zoë Roy","new_person":{"firstname":"Zoë","lastname":"Roy","email":"6@x.org","phone":"","leftover":""},"state":"waiting","typed_at":"2024-05-03T12:06:00Z","send_at":"2024-05-03T12:06:05Z","reason":"","person_id":null,"known_ids":[],"knew_all":false,"doubt":"looking","looks":0,"candidate_id":null,"candidate_added":null,"ended_at":null,"taken_off":"2024-05-03T12:07:00Z"}}');
CREATE TABLE review_sources (
            place INTEGER PRIMARY KEY AUTOINCREMENT,
            id TEXT NOT NULL UNIQUE,
            source TEXT NOT NULL
        );
INSERT INTO "review_sources" VALUES(1,'cccccccccccccccccccccccccccccccc/list','d4da0540a941ca64 eAE1yzEOgkAQBdColbfgBJ7BmGBl5Q2G3QlsXHbIzka0tbI0obE1LMLaeAUSL2YQrP5P3v9XbyDHd5mBi0rgSFChUPqDMjIIrYqEwEpvqeTq4rUyOGsEas3Va6ssu2h4hx1MrYlzUHoczqdhHR/Rf+7sWlyfVmTTkRd/3lBS7+ncJqN2GYJUJuW+4QzR9c9f8K1DI2iQPjAWYMGRfSy/jIdUjw==');
CREATE TABLE reviews (
            place INTEGER PRIMARY KEY AUTOINCREMENT,
            id TEXT NOT NULL UNIQUE,
            review TEXT NOT NULL
        );
INSERT INTO "reviews" VALUES(1,'cccccccccccccccccccccccccccccccc','e55f07a2a5a06436 {"name":"what was copied","kind":"clipboard","changes":{"columns":{"headings":["First name","Last name","Email"],"fields":["firstname","lastname","email"],"first_row_is_headings":true,"titles":0,"name_order":"first last"},"typed":[[[0,0],[null,"Östlund",null]]],"chosen":[[[1,0],false]],"changed":true},"path":""}');
CREATE INDEX history_of_person ON history (person_id);
DELETE FROM "sqlite_sequence";
INSERT INTO "sqlite_sequence" VALUES('entries',8);
INSERT INTO "sqlite_sequence" VALUES('history',2);
INSERT INTO "sqlite_sequence" VALUES('batches',1);
INSERT INTO "sqlite_sequence" VALUES('batch_rows',1);
INSERT INTO "sqlite_sequence" VALUES('review_sources',1);
INSERT INTO "sqlite_sequence" VALUES('reviews',1);
COMMIT;
PRAGMA user_version = 4;
