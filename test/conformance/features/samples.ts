import type { NeutralResponse, Piece, Tool } from '../neutral.ts'

/** The smallest PNG, the head of a PDF, a little of a WAV: bytes that must arrive as they are. */
export const pngBase64 =
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=='
export const pdf = Buffer.from('%PDF-1.4\n1 0 obj\n<< /Type /Catalog >>\nendobj\n%%EOF\n').toString(
  'base64',
)
export const audioBase64 = Buffer.from(
  Array.from({ length: 96 }, (_, at) => (at * 37) % 256),
).toString('base64')

/** Files by the address that requests link to. Vendors that fetch nothing get their bytes. */
export const linkedFiles = {
  'http://files.example:8080/cat.png': pngBase64,
  'http://files.example:8080/paper.pdf': pdf,
} as const

export const hello: NeutralResponse = {
  pieces: [{ text: 'Hello there!' }],
  finish: 'stop',
  usage: { input: 21, output: 7 },
}

export const weather: Tool = {
  name: 'get_weather',
  description: 'Tells the weather of a place.',
  schema: {
    type: 'object',
    properties: { location: { type: 'string' }, days: { type: 'integer' } },
    required: ['location', 'days'],
    additionalProperties: false,
  },
}
export const clock: Tool = {
  name: 'get_time',
  description: 'Tells the time of a place.',
  schema: { type: 'object', properties: { zone: { type: 'string' } }, required: ['zone'] },
}

export const weatherCall: Piece = {
  call: 'get_weather',
  id: 'call_Paris01',
  input: { location: 'Paris, “FR”\n', days: 2 },
}
export const timeCall: Piece = {
  call: 'get_time',
  id: 'call_Tokyo02',
  input: { zone: 'Asia/Tokyo' },
}
