import { Fault } from '@hub/contract'
import type { App } from '../../core/app.ts'
import type { RequestContext } from '../context.ts'
import { checkEncoding, receive, reserveBytes, tooLarge } from './body.ts'
import { type EncodedForm, Form } from './form.ts'
import { Spool } from './spool.ts'

/** Reads a body of any bytes and at most `sizeMax`; above 1 MiB it goes to the disk as it arrives. */
export const readUpload = async (
  app: App,
  context: RequestContext,
  sizeMax: number,
): Promise<EncodedForm> => {
  const { headers } = context.request
  checkEncoding(headers)
  if (Number(headers['content-length'] ?? 0) > sizeMax) throw tooLarge(sizeMax)
  const spool = new Spool(app, size => reserveBytes(app, context.body, size))
  try {
    await receive(app, context, {
      data: chunk => {
        if (spool.size + chunk.length > sizeMax) throw tooLarge(sizeMax)
        return spool.write(chunk)
      },
      end: () => undefined,
    })
  } catch (error) {
    spool.dispose()
    throw error
  }
  const type = headers['content-type'] ?? 'application/octet-stream'
  const part = { name: 'file', filename: '', type, value: undefined, start: 0, end: spool.size }
  context.body.form = new Form([part], '', spool)
  const encoded = context.body.form.encodeFile('file')
  if (!encoded) throw new Fault('server.failed', { detail: 'an upload without its file' })
  return encoded
}
