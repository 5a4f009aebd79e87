-- Prints the number of requests and of failures.
function done(summary)
  local errors = summary.errors
  local failures = errors.connect + errors.read + errors.write + errors.timeout
    + errors.status
  print(string.format("[%d,%d]", summary.requests, failures))
end

wrk.headers["Authorization"] = "Bearer token-1"

-- Cycles through the tokens of the users, starting further along in each round.
local users = tonumber(os.getenv("USERS"))
if users > 0 then
  local requests, at = {}, os.getenv("ROUND") * 60000 % users
  function init()
    for i = 0, users - 1 do
      wrk.headers["Authorization"] = "Bearer token-" .. i
      requests[i] = wrk.format()
    end
  end
  function request()
    at = (at + 1) % users
    return requests[at]
  end
end
