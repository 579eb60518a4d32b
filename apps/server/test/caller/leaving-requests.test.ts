import { readdirSync, readFileSync } from 'node:fs'
import { join, relative } from 'node:path'
import { expect, it } from 'vitest'

const root = new URL('../../src/', import.meta.url).pathname

const sources = readdirSync(root, { recursive: true, encoding: 'utf8' })
  .filter(path => path.endsWith('.ts') && !path.endsWith('.test.ts'))
  .map(path => [relative('.', path), readFileSync(join(root, path), 'utf8')] as const)

const filesWith = (pattern: RegExp): string[] =>
  sources
    .filter(([, text]) => pattern.test(text))
    .map(([path]) => path)
    .toSorted()

/** Every place that signs a request for a vendor, and the headers of the caller that leave with it. */
const places = {
  'channel-tests/fetch-text.ts': 'none: an operator asks for a balance or a list',
  'relay/count-tokens.ts': 'those of the dialect',
  'relay/upstream/accounts/account-request.ts': 'those of the dialect; none with polls',
  'relay/upstream/accounts/pending-result.ts': 'none: the result is polled',
  'relay/upstream/prepare.ts': 'given by the attempt, or none with a test of a channel',
  'sockets/realtime/connect.ts': 'those of the format of the session',
  'tasks/vendor-request.ts': 'four with a new task, none with polls',
}

it('a request for a vendor is signed in known places', () => {
  expect(
    filesWith(/\bsignRequest\(\s*app\b/).filter(each => each !== 'relay/upstream/sign.ts'),
  ).toEqual(Object.keys(places))
})

it('the headers of a caller are chosen by one function, which these places call', () => {
  expect(filesWith(/\bcallerHeaders\(/)).toEqual([
    'relay/attempt.ts',
    'relay/count-tokens.ts',
    'relay/upstream/accounts/account-request.ts',
    'sockets/realtime/connect.ts',
    // A batch's requests are judged before it leaves by the account request above.
    'stored-objects/batches/plan.ts',
    'tasks/submit/submit.ts',
  ])
})

it('nothing else that serves calls reads the headers of a caller as a list', () => {
  const serving = /^(relay|sockets|stored-objects|tasks)\//
  expect(filesWith(/\brawHeaders\b/).filter(each => serving.test(each))).toEqual([
    // The key under which an answer is cached.
    'relay/response-cache/cache-key.ts',
    'relay/upstream/headers.ts',
    // Removes the header that asks for a WebSocket.
    'sockets/responses/index.ts',
  ])
})
