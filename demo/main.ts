import { resolve } from 'node:path'
import { root } from '../scripts/lib/node.mjs'
import { DemoRefusal } from './folder.ts'
import { type Demo, openDemo } from './open.ts'

const write = (text: string) => void process.stdout.write(`${text}\n`)

const announce = ({ url, logins, record }: Demo): void => {
  const rows = Object.values(logins).map(
    ({ role, username, password }) => `  ${role.padEnd(14)} ${username.padEnd(14)} ${password}`,
  )
  const days = Math.floor((Date.now() / 1_000 - record.filledAt) / 86_400)
  const age = days > 0 ? `\nThe data end ${days} days ago; \`--fresh\` makes them anew.` : ''
  write(`\nThe demo is at ${url}\n\n${rows.join('\n')}\n${age}\nCtrl-C ends it.`)
}

const run = async (): Promise<number> => {
  // `scripts/demo/start.mjs` has refused all other words.
  const words = process.argv.slice(2)
  const demo = await openDemo({
    isFresh: words.includes('--fresh'),
    isFillOnly: words.includes('--fill-only'),
    isLive: !words.includes('--no-live'),
    folder: resolve(root, process.env.DEMO_DIR || 'demo-data'),
    databaseUrl: process.env.DATABASE_URL || undefined,
    port: Number(process.env.PORT ?? 3_000),
    report: write,
  })
  if (!demo) return 0
  announce(demo)
  let isStopped = false
  const stop = () => {
    isStopped = true
    void demo.close()
  }
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, stop)
  const code = await demo.server.exited
  if (!isStopped) await demo.close()
  return isStopped ? 0 : code
}

run().then(
  code => process.exit(code),
  error => {
    process.stderr.write(`${error instanceof DemoRefusal ? error.message : error.stack}\n`)
    process.exit(1)
  },
)
