/** What an OpenAI client would make of a stream's bytes. Written apart from the gateway's own reader. */
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

type Told = { error?: { code?: string; message?: string } }

/** The code of the fault that an answer or a stream tells, in OpenAI's words; undefined: none. */
export const faultIn = (text: string): string | undefined => {
  const whole = parse(text) as Told | undefined
  if (whole) return whole.error?.code
  for (const each of dataOf(text)) {
    const told = parse(each) as Told | undefined
    if (told?.error) return told.error.code
  }
  return undefined
}
