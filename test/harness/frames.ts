/** Reads a stream's bytes as an OpenAI client does. Shares no code with the gateway's reader. */
const dataOf = (text: string): string[] =>
  text
    .replace(/^\uFEFF/, '')
    .split(/\r\n|\n|\r/)
    .filter(line => line.startsWith('data:'))
    .map(line => line.slice(5).trim())

const parse = (text: string): Record<string, unknown> | undefined => {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

type Chunk = { choices?: { delta?: { content?: string } }[] }

/** The answer's text. */
export const textIn = (stream: string): string =>
  dataOf(stream)
    .map(each => (parse(each) as Chunk | undefined)?.choices?.[0]?.delta?.content ?? '')
    .join('')

type ErrorFrame = { error?: { code?: string; message?: string } }

/** The code of the fault in a response or a stream, in OpenAI's format; undefined: none. */
export const faultIn = (text: string): string | undefined => {
  const whole = parse(text) as ErrorFrame | undefined
  if (whole) return whole.error?.code
  for (const each of dataOf(text)) {
    const error = parse(each) as ErrorFrame | undefined
    if (error?.error) return error.error.code
  }
  return undefined
}
