import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { bark, pushdeer, serverchan, webhook } from './push.ts'
import { dingtalk, discord, lark, slack, telegram, wecom } from './robots.ts'
import type { FakeService } from './service.ts'

const makeServices = () => ({
  telegram: telegram(),
  dingtalk: dingtalk(),
  lark: lark(),
  wecom: wecom(),
  slack: slack(),
  discord: discord(),
  bark: bark(),
  serverchan: serverchan(),
  pushdeer: pushdeer(),
  webhook: webhook(),
})
export type ServiceName = keyof ReturnType<typeof makeServices>

export type NotifierServices = {
  names: readonly ServiceName[]
  config(name: ServiceName): Record<string, string>
  /** The texts that a service accepted, as a person reads them. */
  accepted: Record<ServiceName, string[]>
  /** Answers that blame the sender: a broken signature, size, markup or rate. */
  violations: string[]
  /** Requests of any kind. */
  requests(): number
  /** Decides the outcome of the next requests; undefined: as the service does. */
  meet(
    decide: (name: ServiceName) => 'fault' | 'refuse' | 'hang up' | 'lose answer' | undefined,
  ): void
  close(): Promise<void>
}

/** One server with a fake of each service, by the clock of the test. */
export const startNotifierServices = async (now: () => number): Promise<NotifierServices> => {
  const services: Record<ServiceName, FakeService> = makeServices()
  const names = Object.keys(services) as ServiceName[]
  const accepted = Object.fromEntries(names.map(name => [name, [] as string[]]))
  const violations: string[] = []
  let decide: Parameters<NotifierServices['meet']>[0] = () => undefined
  let requests = 0
  let turn = 0
  const server = createServer(async (request, response) => {
    const chunks: Buffer[] = []
    for await (const chunk of request) chunks.push(chunk as Buffer)
    requests += 1
    const url = new URL(request.url ?? '', 'http://service')
    const name = url.pathname.split('/')[1] as ServiceName
    const service = services[name]
    const outcome = decide(name)
    if (outcome === 'hang up') return request.socket.destroy()
    turn += 1
    const answer =
      outcome === 'fault'
        ? service.faults[turn % service.faults.length]!
        : outcome === 'refuse'
          ? service.refusal
          : service.handle(
              {
                path: url.pathname,
                query: url.searchParams,
                headers: request.headers,
                body: Buffer.concat(chunks).toString('utf8'),
                now: now(),
              },
              text => accepted[name]!.push(text),
            )
    if (outcome === undefined && !isSuccess(answer)) violations.push(`${name}: ${answer.body}`)
    if (outcome === 'lose answer') return request.socket.destroy()
    response.writeHead(answer.status, answer.headers).end(answer.body)
  })
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  return {
    names,
    config: name => services[name].config(origin),
    accepted: accepted as NotifierServices['accepted'],
    violations,
    requests: () => requests,
    meet: next => {
      decide = next
    },
    close: () => new Promise(resolve => server.close(() => resolve())),
  }
}

const isSuccess = ({ status, body }: { status: number; body: string }) =>
  status < 300 && !/"(errcode|code)":(?!0\b|200\b)-?\d/.test(body)
