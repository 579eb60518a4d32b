import { startUpstream, type Upstream } from '../upstream/start.ts'
import { type Administrator, administer } from './admin.ts'
import { auditLedger } from './audit.ts'
import { ask, type ChatOptions, unlimitedAgent } from './client.ts'
import { type Engine, type OpenDatabase, openDatabase } from './engines.ts'
import { type Gateway, type GatewayOptions, makeSecrets, startGateway } from './gateway.ts'
import { countHolds } from './ledger.ts'
import { until } from './runner/until.ts'

export type TestHub = {
  gateway: Gateway
  /** All gateways on the database; `gateway` is the first. */
  gateways: Gateway[]
  upstream: Upstream
  admin: Administrator
  /** One chat with the first gateway. */
  ask(call: Partial<ChatOptions> & { key: string; model: string }): ReturnType<typeof ask>
  /** Waits until nothing is held any more. */
  settled(): Promise<void>
  database: OpenDatabase
  /** The shipped auditor finds nothing. */
  audit(): Promise<void>
  close(): Promise<void>
}

type TestHubOptions = Omit<GatewayOptions, 'databaseUrl' | 'dataDir'> & {
  instances?: number
}

/** Points that a `times:` call costs in every test: input 1 is 1,000 points. */
export const timesPrice = 1000

/** A running gateway with one channel to the fake vendor, prices, and no limit on the rate. */
export const startTestHub = async (
  engine: Engine,
  hubOptions: TestHubOptions = {},
): Promise<TestHub> => {
  const upstream = await startUpstream()
  const database = await openDatabase(engine)
  const { instances = 1, ...options } = hubOptions
  const gateways: Gateway[] = []
  const secrets = makeSecrets()
  for (let at = 0; at < instances; at += 1)
    gateways.push(await startGateway({ ...options, secrets, databaseUrl: database.url }))
  const [gateway, ...others] = gateways as [Gateway, ...Gateway[]]
  const admin = administer(gateway, undefined, others)
  const agent = unlimitedAgent()

  await configure(admin, upstream)
  return {
    gateway,
    gateways,
    upstream,
    database,
    admin,
    ask: call => ask({ url: gateway.url, agent, ...call }),
    settled: () =>
      until('no hold is open', async () => (await countHolds(gateway)) === 0).then(() => undefined),
    audit: () => auditLedger(gateway),
    close: async () => {
      agent.destroy()
      for (const each of gateways) await each.close()
      await upstream.close()
      await database.close()
    },
  }
}

const configure = async (admin: Administrator, upstream: Upstream): Promise<void> => {
  await admin.setOption('ServerAddress', 'http://localhost:3000')
  await admin.setOption('LocalTrialEnabled', 'true')
  await admin.addChannel(`${upstream.url}/a`)
  await admin.setPrice('any:*', 'tokens', 1, 1)
  await admin.setPrice('times:*', 'times', 1)
  await admin.setPrice('gpt-4o-mini', 'tokens', 0.075, 0.3)
  const groups = await admin.api<{ data: { id: number; symbol: string }[] }>(
    'GET',
    '/api/user_group/?size=100',
  )
  const standard = groups.data.find(each => each.symbol === 'default')
  await admin.api('PUT', '/api/user_group/', { id: standard?.id, api_rate: 1_000_000 })
}
