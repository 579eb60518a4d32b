import type { SecurityMutation } from './mutation.ts'

const headers = 'apps/server/src/relay/upstream/headers.ts'
const headersTest = 'apps/server/src/relay/upstream/headers.test.ts'
const callerHeaders = 'packages/providers/src/caller-headers.ts'
const callerHeadersTest = 'apps/server/test/caller/caller-headers.test.ts'
const policy = 'apps/server/src/relay/channels/steering.ts'
const fieldsTest = 'apps/server/test/caller/steering-fields.test.ts'

/** A name that leaves the list of what never passes. */
const listed = (
  find: string,
  title = 'S5 a header of this list never passes',
): SecurityMutation => ({
  ...{ ids: ['S5'], file: callerHeaders, find, replace: '', test: headersTest, title },
})

/** Guards of the headers and fields of callers that leave for a vendor. */
export const callerMutations: readonly SecurityMutation[] = [
  listed("'openai-organization', "),
  listed("'openai-project', "),
  listed("'x-auth-request-*', "),
  listed("'x-amzn-oidc-*', "),
  listed("'x-ms-client-principal*', "),
  listed("'remote-*', "),
  listed("'x-real-ip', "),
  listed("'idempotency-key', "),
  {
    ...listed("'mj-api-secret', "),
    also: [{ file: callerHeaders, find: 'token|secret|', replace: 'token|' }],
  },
  {
    ...listed("'apikey', "),
    also: [{ file: callerHeaders, find: 'api-?key', replace: 'api-key' }],
  },
  {
    ids: ['S5'],
    file: headers,
    find: 'passesAll || hasName(allowed, name)',
    replace: 'true',
    test: headersTest,
    title: 'S5 headers of gateways and sign-in proxies',
  },
  {
    ids: ['S5'],
    file: headers,
    find: 'if (isAllowed && neverReasonOf(name) === undefined)',
    replace: 'if (isAllowed)',
    test: headersTest,
    title: 'S5 a header of this list never passes',
  },
  {
    ids: ['S42'],
    file: headers,
    find: ' || named?.has(name)) continue',
    replace: ') continue',
    test: headersTest,
    title: 'S42 headers that Connection names end here',
  },
  {
    ids: ['S42'],
    file: headers,
    find: ' || named?.has(name)) continue',
    replace: ') continue',
    test: callerHeadersTest,
    title: 'S42 a header that Connection names',
  },
  {
    ids: ['S5'],
    file: 'apps/server/src/relay/attempt.ts',
    find: "isSameDialect ? ownFormat : 'translated'",
    replace: 'ownFormat',
    test: callerHeadersTest,
    title: 'S5 of a translated request are four',
  },
  {
    ids: ['S5'],
    file: 'apps/server/src/relay/upstream/accounts/account-request.ts',
    find: 'caller ? callerHeaders(app, caller, channel, caller.dialect.id) : []',
    replace: 'caller ? [...caller.request.rawHeaders] : []',
    test: callerHeadersTest,
    title: 'S5 never reach a vendor with %s',
  },
  {
    ids: ['S5'],
    file: 'apps/server/src/relay/count-tokens.ts',
    find: 'callerHeaders(app, context, channel, dialect.id)',
    replace: '[...context.request.rawHeaders]',
    test: callerHeadersTest,
    title: 'S5 never reach a vendor with %s',
  },
  {
    ids: ['S5'],
    file: 'apps/server/src/sockets/realtime/connect.ts',
    find: 'callerHeaders(app, call, channel, endpoint.dialect)',
    replace: '[...call.request.rawHeaders]',
    test: callerHeadersTest,
    title: 'S5 never reach a vendor with %s',
  },
  {
    ids: ['S5'],
    file: 'apps/server/src/tasks/submit/submit.ts',
    find: "callerHeaders(app, context, channel, 'translated')",
    replace: '[...context.request.rawHeaders]',
    test: callerHeadersTest,
    title: 'S5 never reach a vendor with %s',
  },
  {
    ids: ['S5'],
    file: 'packages/providers/src/header-names.ts',
    find: '    if (reason) return',
    replace: '    if (reason && false) return',
    test: callerHeadersTest,
    title: 'S5 refuses to list a header',
  },
  {
    ids: ['S5'],
    file: 'apps/server/src/relay/upstream/prepare.ts',
    find: '  if (!isPlain) checkSteering(preparation.channel, dialect.id, parsed, edits)\n',
    replace: '',
    test: fieldsTest,
    title: 'S5 is refused by its name in each dialect',
  },
  {
    ids: ['S5'],
    file: 'apps/server/src/relay/upstream/accounts/account-request.ts',
    find: '  if (body && caller) checkFields(channel, caller, body)\n',
    replace: '',
    test: fieldsTest,
    title: 'S5 is refused with %s',
  },
  {
    ids: ['S5'],
    file: 'apps/server/src/relay/count-tokens.ts',
    find: '  checkSteering(channel, context.dialect.id, parsed)\n',
    replace: '',
    test: fieldsTest,
    title: 'S5 is refused with %s',
  },
  {
    ids: ['S5'],
    file: 'apps/server/src/stored-objects/batches/plan.ts',
    find: '    checkSteering(account.channel, format.id, parsed)\n',
    replace: '',
    test: fieldsTest,
    title: 'S5 is refused in a request of a batch',
  },
  {
    ids: ['S5'],
    file: 'apps/server/src/tasks/vendor-request.ts',
    find: "  checkSteeringOf(channel, '', body)\n",
    replace: '',
    test: fieldsTest,
    title: 'S5 is refused among the free fields of a video',
  },
  {
    ids: ['S5'],
    file: policy,
    find: "      checkContainer(options, field, body.toString('utf8', start, end))",
    replace: '      continue',
    test: fieldsTest,
    title: 'S5 is refused inside',
  },
  {
    ids: ['S5'],
    file: 'packages/providers/src/name-set.ts',
    find: 'plainName.test(name) ? name : name.toUpperCase().toLowerCase()',
    replace: 'plainName.test(name) ? name : name.normalize()',
    test: fieldsTest,
    title: 'S5 is refused in another spelling',
  },
]
