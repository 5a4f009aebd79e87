import { openOverSocket, OVER_SOCKET } from "./over_socket.ts";
import { testContract } from "./suite.ts";

testContract(OVER_SOCKET, openOverSocket);
