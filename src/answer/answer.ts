import { STATUS_CODE } from "@std/http/status";
import {
  type PlantStore,
  type Readiness,
  StoreUnavailableError,
  type View,
} from "../domain/store.ts";
import { after, attempt, isPromised, type Promised } from "./after.ts";
import { readBaseUrl, resolvePublicUrl } from "./base_url.ts";
import { readBearer } from "./bearer.ts";
import { complete } from "./complete.ts";
import { conditional } from "./conditional.ts";
import { isAllowed, resolveCors } from "./cors.ts";
import { createEvents, type ReplyEvent, REQUEST_ID } from "./events.ts";
import { judgeHost } from "./host.ts";
import { readLimit } from "./limit.ts";
import { encode, isEncoded, listReply } from "./list.ts";
import { parseTarget, resolveBasePath, withoutOrigin } from "./path.ts";
import {
  ALLOWED,
  INVALID_TOKEN,
  METHOD_NOT_ALLOWED,
  NO_CONTENT,
  NO_CREDENTIALS,
  OK,
  PREFLIGHT_ALLOWED,
  UNAVAILABLE,
  UNEXPECTED,
  URI_TOO_LONG,
} from "./replies.ts";
import { failure, json, type Reply } from "./reply.ts";
import type { AnswerRequest } from "./request.ts";
import { checkResource, type Resource } from "./resource.ts";

/** How the plant store answers, on every platform. */
export interface HandlerOptions {
  /**
   * The path that everything stands under, such as `/api`. It starts with a
   * slash and does not end with one. None by default.
   */
  readonly basePath?: string;
  /**
   * Which origins may read the answers in a browser: `"*"` for any, `"off"` for
   * no CORS fields at all, or the origins, in a list or separated by commas.
   * Default: `"*"`.
   */
  readonly cors?: string | readonly string[];
  /**
   * The address under which clients reach the service, base path and all, where
   * a proxy in front makes it another than that of the request.
   */
  readonly publicUrl?: string;
  /** The page for people at `/`, from `plant-store/page`. None by default. */
  readonly page?: Resource;
  /** The document at `/openapi.json`, from `plant-store/openapi`. None by default. */
  readonly openapi?: Resource;
  /**
   * Is given whatever the store threw, other than a `StoreUnavailableError`.
   * Clients learn nothing of it. Default: `console.error`.
   */
  readonly onError?: (error: unknown) => void;
  /**
   * Is told of every reply, for a log or for metrics; requests have ids then,
   * which clients send and are sent in `X-Request-Id`. None by default.
   */
  readonly onReply?: (event: ReplyEvent) => void;
}

/** How a listener has the plant store answer. */
export interface AnswerOptions extends HandlerOptions {
  /** The most characters of a target, its scheme and authority left out. Default: as many as come. */
  readonly urlLength?: number;
}

/** The function from request to reply, and its like for what is no request. */
export interface Answer {
  /** Answers a request. It never throws and its promise is never rejected. */
  answer(request: AnswerRequest): Promised<Reply>;
  /** Answers what a listener refuses by itself; without a request, what never became one. */
  refuse(reply: Reply, request?: AnswerRequest): Reply;
}

/** What answers GET on a path. */
type Get = (request: AnswerRequest, query: string) => Promised<Reply>;

/**
 * Creates the answer of the plant store: all that it says, on any platform.
 *
 * @throws {RangeError} When an option can't be used.
 */
export function createAnswer(
  store: PlantStore,
  options: AnswerOptions = {},
): Answer {
  const { page, openapi, onError = console.error, onReply } = options;
  const { urlLength = Infinity } = options;
  const events = onReply && createEvents(onReply, report);
  const basePath = resolveBasePath(options.basePath);
  const cors = resolveCors(options.cors, events ? [REQUEST_ID] : []);
  const publicUrl = options.publicUrl === undefined
    ? undefined
    : resolvePublicUrl(options.publicUrl);

  const resources = new Map<string, Get>([
    [`${basePath}/plants`, listPlants],
    [`${basePath}/healthz`, () => OK],
    [`${basePath}/readyz`, readiness],
  ]);
  if (page) resources.set(`${basePath}/`, show(page));
  if (openapi) resources.set(`${basePath}/openapi.json`, show(openapi));
  const notFound = failure(
    STATUS_CODE.NotFound,
    `There is nothing here: the plants are at ${basePath}/plants`,
  );

  /** The order of judgement. */
  function judge(request: AnswerRequest): Promised<Reply> {
    const { method } = request;
    const badHost = judgeHost(request);
    if (badHost) return badHost;
    if (isPreflight(request)) {
      return isAllowed(cors.fields(request)) ? PREFLIGHT_ALLOWED : NO_CONTENT;
    }
    if (method === "CONNECT") return METHOD_NOT_ALLOWED; // it has no path
    if (
      request.target.length > urlLength &&
      withoutOrigin(request.target).length > urlLength
    ) return URI_TOO_LONG;
    const { path, query } = parseTarget(request.target);
    const resource = resources.get(path);
    if (method === "OPTIONS" && (resource || path === "*")) return ALLOWED;
    if (!resource) return notFound;
    if (method !== "GET" && method !== "HEAD") return METHOD_NOT_ALLOWED;
    return resource(request, query);
  }

  // What is at hand is handed on by calls alone: closures would cost every request.

  /** GET /plants (section 4 of the interface). */
  function listPlants(request: AnswerRequest, query: string): Promised<Reply> {
    const token = readBearer(request.header("authorization"));
    if (token === undefined) return NO_CREDENTIALS;
    if (token === "") return INVALID_TOKEN;
    const view = store.view(token);
    return isPromised(view)
      ? after(view, (view) => listView(view, request, query))
      : listView(view, request, query);
  }

  function listView(
    view: View | undefined,
    request: AnswerRequest,
    query: string,
  ): Promised<Reply> {
    if (!view) return INVALID_TOKEN;
    events?.identify(request, view.user);
    const limit = readLimit(query);
    if (typeof limit === "string") {
      return failure(STATUS_CODE.BadRequest, limit);
    }
    const list = view.list(limit);
    const known = request.header("if-none-match");
    if (isEncoded(list)) return conditional(listReply(list), known);
    return after(
      after(list, (list) => encode(list, limit)),
      (list) => conditional(listReply(list), known),
    );
  }

  function show(resource: Resource): Get {
    return (request) =>
      after(
        resource({
          baseUrl: publicUrl ?? readBaseUrl(request, basePath),
          store,
          hasOpenapi: openapi !== undefined,
        }),
        (reply) =>
          conditional(
            checkResource(reply),
            request.header("if-none-match"),
          ),
      );
  }

  function readiness(): Promised<Reply> {
    return attempt(
      () => after(store.ready?.(), readyReply),
      (error) => {
        if (!(error instanceof StoreUnavailableError)) report(error);
        return UNAVAILABLE;
      },
    );
  }

  function fail(error: unknown): Reply {
    if (error instanceof StoreUnavailableError) return UNAVAILABLE;
    report(error);
    return UNEXPECTED;
  }

  function report(error: unknown): void {
    try {
      onError(error);
    } catch {
      // There is nobody left to tell, and the client still waits.
    }
  }

  function answer(request: AnswerRequest): Promised<Reply> {
    let reply: Promised<Reply>;
    try {
      reply = judge(request);
    } catch (error) {
      reply = fail(error);
    }
    return isPromised(reply)
      ? reply.catch(fail).then((reply) => finish(request, reply))
      : finish(request, reply);
  }

  function finish(request: AnswerRequest, reply: Reply): Reply {
    const whole = complete(reply, cors.fields(request));
    if (request.method !== "HEAD") return whole;
    return { status: whole.status, headers: whole.headers };
  }

  function refuse(reply: Reply, request?: AnswerRequest): Reply {
    return complete(reply, cors.fields(request ?? { header: () => undefined }));
  }

  if (!events) return { answer, refuse };
  return {
    answer(request) {
      const start = performance.now();
      return after(
        answer(request),
        (reply) => events.tell(request, reply, start),
      );
    },
    refuse(reply, request) {
      const whole = refuse(reply, request);
      return request ? events.tell(request, whole, performance.now()) : whole;
    },
  };
}

/** The reply of a store that is ready, with what it tells of itself. */
function readyReply(state: Readiness | void): Reply {
  if (!state) return OK;
  const { loaded, refused } = state;
  return json(STATUS_CODE.OK, { status: "ok", loaded, refused }, {
    "Cache-Control": "no-store",
  });
}

/** A browser's question whether it may send a request (Fetch standard, CORS-preflight request). */
function isPreflight(request: AnswerRequest): boolean {
  return request.method === "OPTIONS" &&
    request.header("origin") !== undefined &&
    request.header("access-control-request-method") !== undefined;
}
