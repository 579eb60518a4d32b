import type { SecurityMutation } from './mutation.ts'

const connectionPool = 'apps/server/src/relay/upstream/connections/connection-pool.ts'
const connector = 'apps/server/src/relay/upstream/connections/connector.ts'
const secretsTest = 'apps/server/src/features/channels/secrets.test.ts'
const addresses = 'apps/server/src/relay/upstream/connections/addresses.ts'
const publicAddress = 'apps/server/src/lib/http/public-address.ts'
const fetchGuarded = 'apps/server/src/lib/http/fetch-guarded.ts'
const fetchGuardedTest = 'apps/server/src/lib/http/fetch-guarded.test.ts'
const send = 'apps/server/src/relay/upstream/send.ts'
const architectureTest = 'test/architecture.test.ts'
const callbackTest = 'apps/server/test/tasks/callbacks.test.ts'
const storageTest = 'apps/server/test/tasks/task-storage.test.ts'

/** Guards of requests to upstreams, and of what the sources may use. */
export const upstreamMutations: readonly SecurityMutation[] = [
  {
    ids: ['S1'],
    file: 'apps/server/src/relay/upstream/headers.ts',
    find: "  'host',\n",
    replace: '',
    test: 'test/security/wire.test.ts',
    title: 'S5 S37 the vendor gets the key of its channel',
  },
  {
    ids: ['S2', 'C26'],
    file: connector,
    find: 'checkHost(new URL(origin).hostname)',
    replace: '',
    test: secretsTest,
    title: 'S2 S3 a channel at a private address',
  },
  {
    ids: ['S2'],
    file: connector,
    find: '    if (proxy) checkHost(proxy.hostname)\n',
    replace: '',
    test: secretsTest,
    title: 'S2 a proxy at a private address',
  },
  {
    ids: ['S3'],
    file: publicAddress,
    find: "  '127.0.0.0/8',\n",
    replace: '',
    test: secretsTest,
    title: 'S2 S3 a channel at a private address',
  },
  {
    ids: ['S3'],
    file: addresses,
    find: 'addresses.filter(each => isPublicAddress(each.address))',
    replace: 'addresses.filter(each => each.address !== hostname)',
    test: 'apps/server/src/relay/upstream/connections/addresses.test.ts',
    title: 'a name that leads to a private address',
  },
  {
    ids: ['S3'],
    file: addresses,
    find: 'if (isIP(bare) !== 0 && !isPublicAddress(bare))',
    replace: 'if (isIP(bare) === 4 && !isPublicAddress(bare))',
    test: 'apps/server/src/relay/upstream/connections/addresses.test.ts',
    title: 'a private address in figures is refused',
  },
  {
    ids: ['S3'],
    file: publicAddress,
    find: ' && !isSpecial6(plain)',
    replace: '',
    test: 'apps/server/src/lib/http/public-address.test.ts',
    title: 'S3 no address of the special-purpose registries',
  },
  {
    ids: ['S2', 'C26'],
    file: fetchGuarded,
    find: 'lookup: lookupOf(addresses), ',
    replace: '',
    test: fetchGuardedTest,
    title: 'S2 a name is looked up once',
  },
  {
    ids: ['S2', 'C26'],
    file: fetchGuarded,
    find: 'found.every(each =>',
    replace: 'found.some(each =>',
    test: fetchGuardedTest,
    title: 'S2 a name with one private address',
  },
  {
    ids: ['S2', 'C26'],
    file: fetchGuarded,
    find: 'await allowedAddresses(url.hostname, rules, signal)',
    replace:
      'await (redirects > 0 ? resolveHost(url.hostname, rules.nameServers, signal) : allowedAddresses(url.hostname, rules, signal))',
    test: fetchGuardedTest,
    title: 'S2 each redirect is checked',
  },
  {
    ids: ['S1', 'S2', 'S3', 'S6'],
    file: fetchGuarded,
    find: 'isPublicAddress(each) || isExempt(each)',
    replace: "isPublicAddress(each) || isExempt(each) || each === '127.0.0.1'",
    test: 'test/security/linked-files.test.ts',
    title: 'S1 S2 S3 S6 no hostile address',
  },
  {
    ids: ['S5'],
    file: 'apps/server/src/relay/tasks/open-output.ts',
    find: "return openAddress(app, context, headerOf(answer, 'location'), headers)",
    replace:
      "return openAddress(app, context, headerOf(answer, 'location'), { ...headers, 'x-goog-api-key': account.credential })",
    test: 'apps/server/test/tasks/video-vendors.test.ts',
    title: 'S5 S6 shows the key to no storage',
  },
  {
    ids: ['S6'],
    file: 'apps/server/src/relay/tasks/open-output.ts',
    find: 'const opened = await openGuarded(url, { rules: fetchRules(app), signal, headers })',
    replace:
      'const opened = await openGuarded(url, { rules: { ...fetchRules(app), isExempt: () => true }, signal, headers })',
    test: 'apps/server/test/tasks/videos.test.ts',
    title: 'S6 a result at a private address',
  },
  {
    ids: ['S6'],
    file: fetchGuarded,
    find: "    if (size > bytesMax) return failed('size')\n",
    replace: '',
    test: fetchGuardedTest,
    title: 'S6 the limit counts unpacked bytes',
  },
  {
    ids: ['S6'],
    file: fetchGuarded,
    find: 'mime = fileTypeOf(Buffer.concat(chunks))',
    replace: "mime = String(headers['content-type'])",
    test: fetchGuardedTest,
    title: 'S6 the first bytes decide',
  },
  {
    ids: ['C26'],
    file: send,
    find: 'lease.client.dispatch(request.dispatchOptions(outgoing), request)',
    replace:
      'const following = interceptors.redirect({ maxRedirections: 3 })\n    new Agent().compose(following).dispatch(request.dispatchOptions(outgoing), request)',
    also: [
      {
        file: send,
        find: "import type { Dispatcher } from 'undici'",
        replace: "import { Agent, type Dispatcher, interceptors } from 'undici'",
      },
    ],
    test: 'test/end-to-end/upstream-sockets.test.ts',
    title: 'R17 a redirect',
  },
  {
    ids: ['C37'],
    file: connector,
    find: 'return buildConnector({ allowH2: false, ...options })',
    replace: 'return buildConnector({ allowH2: false, rejectUnauthorized: false, ...options })',
    test: 'apps/server/src/features/channels/certificate.test.ts',
    title: 'C37 an upstream whose certificate',
  },
  {
    ids: ['S41'],
    file: connectionPool,
    find: 'setImmediate(returnAll, app)',
    replace: 'returnAll(app)',
    test: 'apps/server/src/relay/upstream/connections/connection-pool.test.ts',
    title: 'S41 a connection is used again after one turn',
  },
  {
    ids: ['S41'],
    file: connectionPool,
    find: 'const known = open.get(proxy)?.get(origin)',
    replace: 'const known = open.get(proxy)?.values().next().value',
    test: 'apps/server/src/relay/upstream/connections/connection-pool.test.ts',
    title: 'S41 a connection belongs to one origin',
  },
  {
    ids: ['S50'],
    file: send,
    find: 'lease.client.dispatch(request.dispatchOptions(outgoing), request)',
    replace:
      "const retrying = lease.client.compose(interceptors.retry({ methods: ['POST'] }))\n    retrying.dispatch(request.dispatchOptions(outgoing), request)",
    also: [
      {
        file: send,
        find: "import type { Dispatcher } from 'undici'",
        replace: "import { type Dispatcher, interceptors } from 'undici'",
      },
    ],
    test: 'test/end-to-end/upstream-sockets.test.ts',
    title: 'S50 one request',
  },
  {
    ids: ['S46', 'C28'],
    file: 'apps/server/src/relay/routing/channel-index.ts',
    find: 'model.startsWith(each.prefix)',
    replace: `new RegExp(\`^\${each.prefix}\`).test(model)`,
    test: architectureTest,
    title: 'SQL, engine names, the environment and bare errors stay in their modules',
  },
  {
    ids: ['S7'],
    file: 'apps/server/src/channel-tests/test-channel.ts',
    find: "import { Fault } from '@hub/contract'\n",
    replace:
      "import { execFileSync } from 'node:child_process'\nimport { Fault } from '@hub/contract'\n\nexport const ping = (host: string) => execFileSync('ping', ['-c', '1', host])\n",
    test: architectureTest,
    title: 'SQL, engine names, the environment and bare errors stay in their modules',
  },
  {
    ids: ['S8'],
    file: 'apps/server/src/relay/upstream/custom-parameter.ts',
    find: 'edits[key] = value',
    replace: `edits[key] = new Function('model', \`return \${JSON.stringify(value)}\`)(upstreamModel)`,
    test: architectureTest,
    title: 'SQL, engine names, the environment and bare errors stay in their modules',
  },
  {
    ids: ['C25'],
    file: 'apps/server/src/features/settings/aliases.ts',
    find: 'return JSON.parse(value) as unknown',
    replace: `return eval(\`(\${value})\`) as unknown`,
    test: architectureTest,
    title: 'SQL, engine names, the environment and bare errors stay in their modules',
  },
  {
    ids: ['C35'],
    file: 'apps/server/src/lib/random.ts',
    find: "createHash('sha256').update(text).digest('hex')",
    replace: "createHash('md5').update(text).digest('hex')",
    test: architectureTest,
    title: 'SQL, engine names, the environment and bare errors stay in their modules',
  },
  {
    ids: ['C35'],
    file: connector,
    find: "hash('sha256', credential)",
    replace: "hash('md5', credential)",
    test: architectureTest,
    title: 'SQL, engine names, the environment and bare errors stay in their modules',
  },
  {
    ids: ['C35'],
    file: 'apps/server/src/lib/random.ts',
    find: "randomBytes(bytes).toString('base64url')",
    replace: "Array.from({ length: bytes }, () => Math.random().toString(36)[2]).join('')",
    test: architectureTest,
    title: 'SQL, engine names, the environment and bare errors stay in their modules',
  },
  {
    ids: ['S52'],
    file: 'apps/server/src/lib/runtime/safer-version.ts',
    find: 'floor[0] === major && (minor > floor[1] || (minor === floor[1] && patch >= floor[2]))',
    replace: 'floor[0] === major',
    test: 'apps/server/src/lib/runtime/safer-version.test.ts',
    title: 'S52 a Node without a published security fix',
  },
  {
    ids: ['S4'],
    file: 'apps/server/src/notifications/network.ts',
    find: '  if (userId !== 0) return fetchRules(app)\n',
    replace: '',
    test: 'apps/server/src/features/own-notifications/own-notifications.test.ts',
    title: 'S4 no address of a user reaches a private address',
  },
  {
    ids: ['S4'],
    file: 'apps/server/src/relay/tasks/callbacks/read.ts',
    find: 'if (!isText || !(await isCallable(app, value)))',
    replace: 'if (!isText)',
    test: callbackTest,
    title: 'S4 an address that is not public is refused by its field, and nothing is held',
  },
  {
    ids: ['S4'],
    file: 'apps/server/src/relay/tasks/callbacks/send.ts',
    find: 'rules: fetchRules(app), timeoutMs',
    replace: 'rules: { ...fetchRules(app), isExempt: () => true }, timeoutMs',
    test: callbackTest,
    title: 'S4 an address that has become private is not called, and the row says so',
  },
  {
    ids: ['S4'],
    file: 'apps/server/src/relay/tasks/callbacks/sign.ts',
    find: '{userId} ',
    replace: '',
    test: callbackTest,
    title: 'S4 is signed with the secret of its user, which can be replaced',
  },
  {
    ids: ['S2'],
    file: 'apps/server/src/relay/tasks/copies/s3/client.ts',
    find: '  if (!isPrivateAllowed) checkHost(new URL(origin).hostname)\n',
    replace: '',
    test: storageTest,
    title: 'S2 are not called at a private address where the setting forbids it',
  },
  {
    ids: ['S5'],
    file: 'apps/server/src/features/settings/index.ts',
    find: "  TaskStorageEndpoint: 'TaskStorageSecretKey',\n",
    replace: '',
    test: storageTest,
    title: 'S5 lose their secret key when the address changes, and nobody is shown it',
  },
]
