-- One row: when a worker last said that it runs. Without one, everything is accepted and nothing is sent.
create table worker_alive (
  one boolean primary key default true check (one),
  at timestamptz(3) not null
) with (fillfactor = 10);
insert into worker_alive (at) values (now());
