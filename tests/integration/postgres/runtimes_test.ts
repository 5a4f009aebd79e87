import { testPostgresOnOthers } from "../../support/postgres_on.ts";

// Those of sockets, TLS, timers, and text: SQL is the same on each runtime.
testPostgresOnOthers(
  "^(an import stores|a restart|a database can be|load is|a connection that|a long list that)",
);
