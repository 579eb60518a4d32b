import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { keepAlive } from '../addresses/keep-alive.ts'
import { startMail } from './mail.ts'
import { bark, pushdeer, serverchan, webhook } from './push.ts'
import { dingtalk, discord, lark, slack, telegram, wecom } from './robots.ts'
import type { FakeService, Outcome, ServiceAnswer } from './service.ts'

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
/** E-mail has a mail server, and the others share one server for HTTP. */
export type ServiceName = keyof ReturnType<typeof makeServices> | 'email'

export type NotifierServices = {
  names: readonly ServiceName[]
  config(name: ServiceName): Record<string, string>
  /** The services that name a pause when they get too many messages, and its seconds. */
  limits: ReadonlyMap<ServiceName, number>
  /** Settings of the site, with which it sends to the mail server. */
  mailSettings: Readonly<Record<string, string>>
  /** The texts that a service accepted, as a person reads them. */
  accepted: Record<ServiceName, string[]>
  /** Answers that blame the sender: a broken signature, size, markup or rate. */
  violations: string[]
  /** Requests of any kind. */
  requests(): number
  /** Decides the outcome of the next requests. */
  meet(decide: (name: ServiceName) => Outcome): void
  close(): Promise<void>
}

/** One server with a fake of each service, by the clock of the test. */
export const startNotifierServices = async (now: () => number): Promise<NotifierServices> => {
  const services: Record<Exclude<ServiceName, 'email'>, FakeService> = makeServices()
  const names = [...Object.keys(services), 'email'] as ServiceName[]
  const accepted = Object.fromEntries(names.map(name => [name, [] as string[]])) as Record<
    ServiceName,
    string[]
  >
  const violations: string[] = []
  let decide: Parameters<NotifierServices['meet']>[0] = () => undefined
  let requests = 0
  const count = (name: ServiceName): Outcome => {
    requests += 1
    return decide(name)
  }
  let turn = 0
  const server = createServer(keepAlive, async (request, response) => {
    const body = Buffer.concat(await request.toArray()).toString('utf8')
    const url = new URL(request.url ?? '', 'http://service')
    const name = url.pathname.split('/')[1] as Exclude<ServiceName, 'email'>
    const service = services[name]
    const outcome = count(name)
    if (outcome === 'hang up') return request.socket.destroy()
    turn += 1
    const handle = () =>
      service.handle(
        {
          ...{ path: url.pathname, query: url.searchParams, headers: request.headers },
          ...{ body, now: now() },
        },
        text => accepted[name].push(text),
      )
    const given = {
      fault: () => service.faults[turn % service.faults.length]!,
      limit: () => service.limit?.answer ?? service.faults[0]!,
      refuse: () => service.refusal,
      'lose answer': handle,
    }
    const answer = typeof outcome === 'object' ? outcome : given[outcome ?? 'lose answer']()
    if (outcome === undefined && !isSuccess(answer)) violations.push(`${name}: ${answer.body}`)
    if (outcome === 'lose answer') return request.socket.destroy()
    response.writeHead(answer.status, answer.headers).end(answer.body)
  })
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  const mail = await startMail(
    () => count('email'),
    text => accepted.email.push(text),
  )
  return {
    names,
    config: name =>
      name === 'email' ? { address: 'ops@hub.example' } : services[name].config(origin),
    limits: new Map(
      names.flatMap(name => {
        const limit = name === 'email' ? undefined : services[name].limit
        return limit ? [[name, limit.seconds] as const] : []
      }),
    ),
    mailSettings: {
      SMTPServer: '127.0.0.1',
      SMTPPort: String(mail.port),
      SMTPFrom: 'hub@hub.example',
    },
    accepted,
    violations,
    requests: () => requests,
    meet: next => {
      decide = next
    },
    close: async () => {
      await mail.close()
      await new Promise(resolve => server.close(resolve))
    },
  }
}

const isSuccess = ({ status, body }: ServiceAnswer) =>
  status < 300 && !/"(errcode|code)":(?!0\b|200\b)-?\d/.test(body)
