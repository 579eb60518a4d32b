import { createHash } from 'node:crypto'

/** Text fields as a form. Its boundary is a hash of the content, which therefore cannot contain it. */
export const encodeForm = (
  fields: readonly (readonly [name: string, value: string])[],
): { body: Buffer; contentType: string } => {
  const digest = createHash('sha256').update(JSON.stringify(fields)).digest('hex')
  const boundary = `form-${digest.slice(0, 32)}`
  const parts = fields.map(
    ([name, value]) =>
      `--${boundary}\r\ncontent-disposition: form-data; name="${quote(name)}"\r\n\r\n${value}\r\n`,
  )
  return {
    body: Buffer.from(`${parts.join('')}--${boundary}--\r\n`),
    contentType: `multipart/form-data; boundary=${boundary}`,
  }
}

/** https://html.spec.whatwg.org/multipage/form-control-infrastructure.html#multipart-form-data */
const quote = (name: string): string =>
  name.replaceAll('\r', '%0D').replaceAll('\n', '%0A').replaceAll('"', '%22')
