import { createSocket } from 'node:dgram'
import { once } from 'node:events'
import { isIPv6 } from 'node:net'

export type NameServer = {
  /** `address:port`. */
  address: string
  /** Every question, as `A example.com`. */
  questions: string[]
  close(): Promise<void>
}

const types = { A: 1, AAAA: 28 } as const

/** A real name server over UDP (RFC 1035). `answer` returns the addresses of a name; undefined: the name is unknown. */
export const startNameServer = async (
  answer: (name: string) => readonly string[] | undefined,
): Promise<NameServer> => {
  const socket = createSocket('udp4')
  const questions: string[] = []
  socket.on('message', (query, { port, address }) => {
    const { name, type, end } = readQuestion(query)
    questions.push(`${type} ${name}`)
    const found = answer(name)
    const records = (found ?? [])
      .filter(each => isIPv6(each) === (type === 'AAAA'))
      .map(each => recordOf(each))
    const head = Buffer.alloc(12)
    query.copy(head, 0, 0, 2)
    // A response that may recurse; code 3 says that the name does not exist.
    head.writeUInt16BE(found ? 0x8180 : 0x8183, 2)
    head.writeUInt16BE(1, 4)
    head.writeUInt16BE(records.length, 6)
    socket.send(Buffer.concat([head, query.subarray(12, end), ...records]), port, address)
  })
  socket.bind(0, '127.0.0.1')
  await once(socket, 'listening')
  return {
    address: `127.0.0.1:${socket.address().port}`,
    questions,
    close: () => new Promise(resolve => socket.close(() => resolve())),
  }
}

const readQuestion = (query: Buffer) => {
  const labels: string[] = []
  let at = 12
  for (let length = query[at]!; length > 0; length = query[at]!) {
    labels.push(query.toString('latin1', at + 1, at + 1 + length))
    at += length + 1
  }
  const type = query.readUInt16BE(at + 1) === types.AAAA ? ('AAAA' as const) : ('A' as const)
  return { name: labels.join('.').toLowerCase(), type, end: at + 5 }
}

/** A record about the name of the question, which no resolver may remember. */
const recordOf = (address: string): Buffer => {
  const data = isIPv6(address) ? bytes6(address) : Buffer.from(address.split('.').map(Number))
  const head = Buffer.alloc(12)
  head.writeUInt16BE(0xc00c, 0)
  head.writeUInt16BE(isIPv6(address) ? types.AAAA : types.A, 2)
  head.writeUInt16BE(1, 4)
  head.writeUInt16BE(data.length, 10)
  return Buffer.concat([head, data])
}

const bytes6 = (address: string): Buffer => {
  // The parser of URLs writes an embedded IPv4 address as two groups.
  const plain = new URL(`http://[${address}]`).hostname.slice(1, -1)
  const [before = '', after] = plain.split('::')
  const groups = (part: string | undefined) => (part ? part.split(':') : [])
  const [left, right] = [groups(before), groups(after)]
  const zeros = Array<string>(8 - left.length - right.length).fill('0')
  const all = after === undefined ? left : [...left, ...zeros, ...right]
  return Buffer.from(all.map(each => each.padStart(4, '0')).join(''), 'hex')
}
