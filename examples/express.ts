import process from "node:process";
import express from "express";
import { createNodeListener } from "plant-store/node";
import { store } from "./store.ts";

const app = express();

app.get("/hello", (_request, response) => {
  response.send("Hello from the shop\n");
});

// Mount the listener before any body parser. `basePath` is the mount path.
app.use("/api", createNodeListener(store, { basePath: "/api" }));

const port = Number(process.env["PORT"] ?? 8000);
app.listen(port, "127.0.0.1", () => {
  console.log(`Plants at http://127.0.0.1:${port}/api/plants`);
});
