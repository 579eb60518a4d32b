import type { SecurityMutation } from './mutation.ts'

const seal = 'apps/server/src/lib/seal.ts'
const secretsTest = 'apps/server/src/features/channels/secrets.test.ts'
const session = 'apps/server/src/http/sessions/session.ts'
const secretsTest2 = 'test/security/secrets.test.ts'
const index = 'apps/server/src/features/channels/index.ts'
const canariesTest = 'test/security/canaries.test.ts'
const audit = 'apps/server/src/http/audit.ts'
const logsTest = 'apps/server/src/features/logs/logs.test.ts'

/** Guards of secrets: where they are stored, sent, shown and logged. */
export const secretMutations: readonly SecurityMutation[] = [
  {
    ids: ['S38'],
    file: seal,
    find: 'Buffer.from(JSON.stringify([version, purpose, context]))',
    replace: 'Buffer.from(JSON.stringify([version]))',
    test: secretsTest,
    title: 'S38 a sealed key moved to another row does not open',
  },
  {
    ids: ['S38'],
    file: seal,
    find: 'Buffer.from(JSON.stringify([version, purpose, context]))',
    replace: 'Buffer.from(JSON.stringify([version, purpose]))',
    test: 'apps/server/src/lib/seal.test.ts',
    title: 'a sealed text does not open in another row, for another purpose or',
  },
  {
    ids: ['S38'],
    file: seal,
    find: `const name = \`\${use}:\${purpose}\``,
    replace: 'const name: string = use',
    test: 'apps/server/src/lib/seal.test.ts',
    title: 'a fingerprint is stable and depends on purpose',
  },
  {
    ids: ['C45'],
    file: 'apps/server/src/app.ts',
    find: "    app.seal.open('master-key', probeContext, sealed ?? '')\n",
    replace: "    if (sealed === undefined) app.seal.open('master-key', probeContext, '')\n",
    test: 'apps/server/src/app.test.ts',
    title: 'another master key than the one',
  },
  {
    ids: ['C18'],
    file: session,
    find: '  const idHash = sha256(id)\n',
    replace: '  const idHash = id\n',
    also: [
      { file: session, find: 'id_hash: sha256(id)', replace: 'id_hash: id' },
      {
        file: session,
        find: 'sessions.end(app.db, sha256(id))',
        replace: 'sessions.end(app.db, id)',
      },
    ],
    test: secretsTest2,
    title: 'S28 D1 the database holds no secret',
  },
  {
    ids: ['S47'],
    file: 'apps/server/src/features/tokens/create.ts',
    find: 'key_masked: masked(key)',
    replace: 'key_masked: key',
    test: 'test/security/who-calls.test.ts',
    title: 'S15 S47 a key that shares any part',
  },
  {
    ids: ['S15'],
    file: 'apps/server/src/relay/auth/token-cache.ts',
    find: 'tokens.set(key, token)',
    replace: 'tokens.set(key.slice(0, 20), token)',
    also: [
      {
        file: 'apps/server/src/relay/auth/token-cache.ts',
        find: 'peek: key => tokens.get(key)',
        replace: 'peek: key => tokens.get(key.slice(0, 20))',
      },
    ],
    test: 'test/security/who-calls.test.ts',
    title: 'S15 S47 a key that shares any part',
  },
  {
    ids: ['S28'],
    file: session,
    find: "request.headers.authorization?.replace(/^Bearer /i, '').trim()",
    replace:
      "(request.headers.authorization ?? (request.query as { token?: string }).token)?.replace(/^Bearer /i, '').trim()",
    test: secretsTest2,
    title: 'S28 no credential is part of an address',
  },
  {
    ids: ['S5'],
    file: 'apps/server/src/features/channels/update.ts',
    find: '    checkDestination(destinationOf(app, before), change, missing)\n',
    replace: '',
    test: secretsTest,
    title: 'a new address, proxy or type needs the key again',
  },
  {
    ids: ['S5'],
    file: 'apps/server/src/features/channels/destination.ts',
    find: 'proxy: fields => fields.proxy,',
    replace: "proxy: () => '',",
    test: secretsTest,
    title: 'a new address, proxy or type needs the key again',
  },
  {
    ids: ['S5', 'S24', 'C38'],
    file: index,
    find: "    if (before && givenKeys.length === 0) checkDestination(before, given, ['key'])\n",
    replace: '',
    test: canariesTest,
    title: 'S5 S24 C38 no sequence',
  },
  {
    ids: ['S5'],
    file: 'apps/server/src/features/channels/tags.ts',
    find: '      checkDestination(destinationOf(app, each), change, missing)\n',
    replace: '',
    test: canariesTest,
    title: 'S5 S24 C38 no sequence',
  },
  {
    ids: ['S5', 'S37'],
    file: 'apps/server/src/relay/upstream/headers.ts',
    find: "  'x-api-key',\n",
    replace: '',
    test: 'test/security/wire.test.ts',
    title: 'S5 S37 the vendor gets the key of its channel',
  },
  {
    ids: ['S24'],
    file: index,
    find: 'get: async (app, _caller, { id }) => rows.asChannel(await getChannel(app.db, id)),',
    replace:
      'get: async (app, _caller, { id }) => {\n    const row = await getChannel(app.db, id)\n    return { ...rows.asChannel(row), ...openSecrets(app, row) }\n  },',
    also: [
      { file: index, find: '  openKeys,\n', replace: '  openKeys,\n  openSecrets,\n' },
      {
        file: 'packages/contract/src/channel-fields.ts',
        find: 'export const Channel = ChannelFields.omit(secretMask).extend({',
        replace: 'export const Channel = ChannelFields.omit(secretMask).loose().extend({',
      },
    ],
    test: secretsTest,
    title: 'S24 D1 proxy, headers and parameters',
  },
  {
    ids: ['S24', 'C38'],
    file: 'apps/server/src/features/settings/index.ts',
    find: "isSecretSetting(key)\n          ? { key, value: '', is_set: value !== '' }\n          : { key, value: settingText(value) },",
    replace: '({ key, value: settingText(value) }),',
    test: secretsTest2,
    title: 'S24 C38 no answer of the admin API carries a secret',
  },
  {
    ids: ['S24', 'C38'],
    file: 'apps/server/src/features/tokens/index.ts',
    find: 'row => asToken(row, nowSeconds(app))),\n  get',
    replace:
      "row => ({\n      ...asToken(row, nowSeconds(app)),\n      key: app.seal.open('token-key', sealedAt(row.id), row.key_sealed),\n    })),\n  get",
    test: secretsTest2,
    title: 'S24 C38 no answer of the admin API carries a secret',
  },
  {
    ids: ['S24', 'C38'],
    file: 'apps/server/src/http/reply.ts',
    find: 'data: read.data ?? null }',
    replace: 'data: value ?? null }',
    test: 'apps/server/src/http/reply.test.ts',
    title: 'S24 C38 a field that the contract does not name',
  },
  {
    ids: ['S24'],
    file: audit,
    find: 'value && (isSecret(shape[key]) || secretNames.includes(key))',
    replace: 'value && isSecret(shape[key])',
    test: canariesTest,
    title: 'S5 S24 C38 no sequence',
  },
  {
    ids: ['C39'],
    file: audit,
    find: 'value && (isSecret(shape[key]) || secretNames.includes(key))',
    replace: 'value && secretNames.includes(key)',
    test: 'apps/server/src/features/profile/profile.test.ts',
    title: 'C39 a new access token',
  },
  {
    ids: ['C39'],
    file: audit,
    find: "    await writeEntry(app, request, error instanceof Fault ? error.code : 'server.failed')\n",
    replace: '',
    test: logsTest,
    title: 'a failed sign-in is written down',
  },
  {
    ids: ['C39'],
    file: 'apps/server/src/db/queries/audit.ts',
    find: "hashOf(last?.hash ?? '', row)",
    replace: "hashOf('', row)",
    test: logsTest,
    title: 'every write of an administrator is in the chain',
  },
  {
    ids: ['C39'],
    file: audit,
    find: "(access === 'admin' || access === 'root')",
    replace: "access === 'root'",
    test: logsTest,
    title: 'every write of an administrator is in the chain',
  },
  {
    ids: ['S37'],
    file: 'apps/server/src/relay/attempt.ts',
    find: 'body: scrub(body, source)',
    replace: 'body',
    test: 'apps/server/src/relay/error-log/error-log.test.ts',
    title: 'S37 an error that is passed on to the caller',
  },
  {
    ids: ['S37'],
    file: 'apps/server/src/relay/upstream/upstream-error.ts',
    find: 'dialect.decodeFault(scrub(body, source))',
    replace: 'dialect.decodeFault(body)',
    test: 'apps/server/src/relay/error-log/error-log.test.ts',
    title: 'S37 a call that failed at each channel',
  },
  {
    ids: ['C41'],
    file: 'apps/server/src/http/reply.ts',
    find: 'send(errorBody(request.url, code, message))',
    replace: 'send(errorBody(request.url, code, message + String((fault.cause as Error)?.stack)))',
    test: 'apps/server/src/http/server.test.ts',
    title: 'C12 C40 C41 a failure of the server is a 500',
  },
]
