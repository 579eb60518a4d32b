import { type Form, type FormPart, sizeOf } from './form.ts'

/** Fields that vendors document as numbers or flags; every other field is text. */
const literalFields = new Set([
  'n',
  'stream',
  'temperature',
  'partial_images',
  'output_compression',
])
const literal = /^(true|false|-?(0|[1-9]\d*)(\.\d+)?)$/

/**
 * A form as a JSON object, which formats read like the body of any other call. A list of descriptions stands for files.
 * A field that is repeated without `[]` in its name is written twice, so that it is refused as in JSON.
 */
export const formAsJson = ({ parts }: Form): Buffer => {
  const written = new Set<string>()
  const members: string[] = []
  for (const part of parts) {
    const { name, value } = part
    if (value && !name.endsWith('[]')) {
      members.push(member(name, textOf(name, value)))
      continue
    }
    if (written.has(name)) continue
    written.add(name)
    const all = parts.filter(each => each.name === name)
    members.push(member(name, `[${all.map(elementOf).join(',')}]`))
  }
  return Buffer.from(`{${members.join(',')}}`)
}

const member = (name: string, json: string) => `${JSON.stringify(name)}:${json}`

const textOf = (name: string, value: Buffer): string => {
  const text = value.toString()
  return literalFields.has(name) && literal.test(text) ? text : JSON.stringify(text)
}

const elementOf = (part: FormPart): string => {
  const { value, filename = '', type } = part
  return JSON.stringify(value ? value.toString() : { filename, type, size: sizeOf(part) })
}

/** New values of fields as the texts of a form. */
export const formEdits = (
  edits: Readonly<Record<string, unknown>>,
): Record<string, string | undefined> =>
  Object.fromEntries(
    Object.entries(edits).map(([name, value]) => [
      name,
      value === undefined ? value : asText(value),
    ]),
  )

const asText = (value: unknown): string =>
  typeof value === 'string' ? value : (JSON.stringify(value) ?? '')
