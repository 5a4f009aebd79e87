import { IN_PROCESS, openInProcess } from "./in_process.ts";
import { openOverSocket, OVER_SOCKET } from "./over_socket.ts";
import { testShuffled } from "./suite.ts";

testShuffled(IN_PROCESS, (setup) => Promise.resolve(openInProcess(setup)));
testShuffled(OVER_SOCKET, openOverSocket);
