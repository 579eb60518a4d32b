import type { App } from '../../core/app.ts'
import type { RequestContext } from '../context.ts'
import { readBody } from './body.ts'
import { formAsJson } from './form-json.ts'
import { isForm, readForm } from './read-form.ts'

/** Enough for the largest files that vendors document: 100 MB of audio, and several images of 50 MB. */
const formMax = 128 * 1024 * 1024

export type RequestBody = {
  body: Buffer
  /** Equal for retries of the same request. */
  identity: Buffer
}

/** Reads the body of an operation. Where it is a form, the context has it, and its fields are returned as JSON. */
export const readRequest = async (
  app: App,
  context: RequestContext,
  forms: 'accepted' | 'required' | undefined,
): Promise<RequestBody> => {
  const canBeForm = forms !== undefined && isForm(context.request.headers['content-type'])
  if (!canBeForm && forms !== 'required') {
    const body = await readBody(app, context)
    return { body, identity: body }
  }
  const form = await readForm(app, context, formMax)
  return { body: formAsJson(form), identity: Buffer.from(form.digest) }
}
