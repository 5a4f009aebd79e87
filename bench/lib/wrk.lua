-- What wrk found, as one line of JSON: its own report is made for people.
function done(summary, latency, requests)
  local errors = summary.errors
  io.write(string.format(
    'JSON {"requests":%d,"microseconds":%d,"p50":%f,"p99":%f,"failures":%d,"refusals":%d}\n',
    summary.requests, summary.duration,
    latency:percentile(50), latency:percentile(99),
    errors.connect + errors.read + errors.write + errors.timeout, errors.status
  ))
end

-- With a count, one request for each of so many tokens in turn, from FIRST on.
-- COUNT requests stand ready whether their tokens differ or not, so that the
-- client's work is the same on both sides.
local count = tonumber(os.getenv("TOKEN_COUNT") or "0")
if count > 0 then
  local first = tonumber(os.getenv("TOKEN_FIRST"))
  local step = tonumber(os.getenv("TOKEN_STEP"))
  local requests, at = {}, 0
  function init()
    for i = 0, count - 1 do
      wrk.headers["Authorization"] = "Bearer token-" .. (first + i * step)
      requests[i] = wrk.format()
    end
  end
  function request()
    local found = requests[at]
    at = (at + 1) % count
    return found
  end
end
