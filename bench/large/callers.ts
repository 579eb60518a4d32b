import { Pool } from 'undici'
import { requestBody, wholeAnswer, workloads } from '../workloads.ts'

export type Calls = { done: number; slowestMs: number; p99Ms: number }

const chat = workloads.find(({ id }) => id === 'chat-32')
if (!chat) throw new RangeError('the workload chat-32 is gone')
const body = requestBody(chat)

/** So many callers, each asking again as soon as it is answered, with keys of several users; every answer is compared. */
export const callWhile = async (
  url: string,
  keys: string[],
  connections: number,
  isOn: () => boolean,
): Promise<Calls> => {
  const pool = new Pool(url, { connections, pipelining: 1 })
  const took: number[] = []
  const one = async (key: string) => {
    const since = performance.now()
    const headers = { authorization: `Bearer ${key}`, 'content-type': 'application/json' }
    const answer = await pool.request({
      path: '/v1/chat/completions',
      method: 'POST',
      headers,
      body,
    })
    const bytes = Buffer.from(await answer.body.arrayBuffer())
    if (answer.statusCode !== 200 || !bytes.equals(wholeAnswer))
      throw new Error(`a wrong answer: ${answer.statusCode} ${bytes.toString().slice(0, 300)}`)
    took.push(performance.now() - since)
  }
  const caller = async (key: string) => {
    while (isOn()) await one(key)
  }
  try {
    const each = (_: unknown, n: number) => caller(keys[n % keys.length] ?? '')
    await Promise.all(Array.from({ length: connections }, each))
  } finally {
    await pool.close()
  }
  took.sort((a, b) => a - b)
  return {
    done: took.length,
    slowestMs: took.at(-1) ?? 0,
    p99Ms: took[Math.floor(took.length * 0.99)] ?? 0,
  }
}

export const callFor = (url: string, keys: string[], connections: number, seconds: number) => {
  const until = performance.now() + seconds * 1000
  return callWhile(url, keys, connections, () => performance.now() < until)
}
