import { Fault } from '@hub/contract'
import { type ResourceKind, readObject } from '@hub/providers'
import type { App } from '../core/app.ts'
import * as storedResources from '../db/queries/stored-resources.ts'
import type { AuthenticatedContext } from '../relay/context.ts'
import { itemFormat, listReferences, type Reference } from '../relay/links/references.ts'
import { accountOf } from '../relay/references/account.ts'
import { readBody } from '../relay/request/body.ts'
import type { Form } from '../relay/request/form.ts'
import { isForm, readForm } from '../relay/request/read-form.ts'
import { writeResponse } from '../relay/response/write.ts'
import type { StorageAccount } from '../relay/upstream/accounts/account-request.ts'
import { type AccountCriteria, chooseAccount, withKind } from './choose-account.ts'
import { type RequestContent, send } from './forward.ts'
import { checkStoredLinks } from './item-links.ts'
import { requireOneAccount } from './one-account.ts'
import { type Placement, recordOwner } from './records.ts'
import type { ResourceHandler } from './resource-route.ts'

/** A file of 512 MB, as OpenAI allows, and the other fields: https://developers.openai.com/api/reference/resources/files */
export const uploadMax = 513 * 1024 * 1024

/** Objects and bytes that one user may store at all vendors together. */
const objectsMax = 10_000
const bytesMax = 20 * 1024 * 1024 * 1024

/** Stores a new object at an account of the caller's group. Its owner is recorded before the caller learns its id. */
export const createObject: ResourceHandler = async (app, context, { route: { api, kind } }) => {
  await refuseBeyondLimits(app, context)
  const { content, model } = await readContent(app, context)
  const account = await accountFor(app, context, { api, kind, model }, content)
  const { status, type, body } = await send(app, context, account, { pathSuffix: '', content })
  const object = readObject(kind, body)
  if (!object) throw new Fault('upstream.invalid_response', { detail: `${kind}: no id` })
  const placement: Placement = {
    kind,
    userId: context.caller.userId,
    requestId: context.id,
    account,
  }
  await recordOwner(app, placement, object)
  writeResponse(context, status, ['content-type', type], body)
}

/** The account of the files that the new object names, or else any that may store it. */
const accountFor = async (
  app: App,
  context: AuthenticatedContext,
  criteria: AccountCriteria,
  { content }: RequestContent,
): Promise<StorageAccount> => {
  if (!Buffer.isBuffer(content)) return chooseAccount(app, context, criteria)
  const references = listReferences(content, { format: itemFormat })
  const account =
    references.length > 0
      ? await accountOfReferences(app, context, criteria.kind, references)
      : await chooseAccount(app, context, criteria)
  checkStoredLinks(criteria.kind, account.channel, { content, references })
  return account
}

const accountOfReferences = async (
  app: App,
  { caller }: AuthenticatedContext,
  kind: ResourceKind,
  references: readonly Reference[],
): Promise<StorageAccount> => {
  const row = await requireOneAccount(app, caller.userId, references)
  return withKind(await accountOf(app, { ...row, kind }), kind)
}

/** Refuses another object, of this size where it is known before. */
export const refuseBeyondLimits = async (
  app: App,
  { caller }: AuthenticatedContext,
  size = 1,
): Promise<void> => {
  const { count, bytes } = await storedResources.usageOf(app.callDb, caller.userId)
  if (count >= objectsMax || bytes + size > bytesMax)
    throw new Fault('stored.full', {
      hint: `The limits are ${objectsMax} objects and ${bytesMax / 1024 ** 3} GiB.`,
    })
}

type NewContent = { content: RequestContent; model: string | undefined }

/** Reads the body. The lines of a batch name its model, which decides about the channel. */
const readContent = async (app: App, context: AuthenticatedContext): Promise<NewContent> => {
  if (!isForm(context.request.headers['content-type'])) {
    const content = await readBody(app, context)
    return { content: { type: 'application/json', content }, model: undefined }
  }
  const form = await readForm(app, context, uploadMax)
  const encoded = form.encode({})
  const model = form.field('purpose') === 'batch' ? await modelOfFirstLine(form) : undefined
  return { content: { type: encoded.type, content: encoded }, model }
}

/** Longer first lines are not read; the batch is checked line by line when it is created. */
const lineMax = 1024 * 1024

/** The model in the first line of the form's file; undefined where it names none. */
const modelOfFirstLine = async (form: Form): Promise<string | undefined> => {
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
