import type { Form } from '../request/form.ts'

/** Longer first lines are not read; the batch is checked line by line when it is created. */
const lineMax = 1024 * 1024

/** The model in the first line of the form's file; undefined where it names none. */
export const modelOfFirstLine = async (form: Form): Promise<string | undefined> => {
  const line = await firstLine(form)
  try {
    const { body } = JSON.parse(line) as { body?: { model?: unknown } }
    return typeof body?.model === 'string' ? body.model : undefined
  } catch {
    return undefined
  }
}

const firstLine = async (form: Form): Promise<string> => {
  const [file] = form.files('file')
  const chunks: Buffer[] = []
  let size = 0
  for await (const chunk of file ? form.read(file) : []) {
    const end = chunk.indexOf(0x0a)
    chunks.push(end === -1 ? chunk : chunk.subarray(0, end))
    size += chunk.length
    if (end !== -1 || size > lineMax) break
  }
  return Buffer.concat(chunks).toString()
}
