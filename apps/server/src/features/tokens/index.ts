import { contract, Fault } from '@hub/contract'
import { type App, nowSeconds } from '../../core/app.ts'
import { mapPage } from '../../core/crud.ts'
import { type Handlers, implement, type SignedInUser } from '../../core/implement.ts'
import * as rows from '../../db/queries/tokens.ts'
import { asOwnedToken, auditedTokens, removeTokenOfUser, updateTokenOfUser } from './administer.ts'
import { createToken, createTokens, ensurePlaygroundToken } from './create.ts'
import { removeTokens } from './remove.ts'
import { asToken, getToken, sealedAt } from './token.ts'
import { updateToken, updateTokens } from './update.ts'

const revealsMax = 30
const revealSeconds = 3600

const handlers: Handlers<typeof contract.tokens.endpoints> = {
  list: (app, caller, input) =>
    mapPage(rows.list(app.db, caller.userId, input), row => asToken(row, nowSeconds(app), caller)),
  get: async (app, caller, { id }) =>
    asToken(await getToken(app, caller, id), nowSeconds(app), caller),
  create: createToken,
  update: updateToken,
  playground: async (app, caller) => reveal(app, caller, await ensurePlaygroundToken(app, caller)),
  reveal: async (app, caller, { id }) => ({ key: await reveal(app, caller, id) }),
  remove: async (app, caller, { id }) => {
    await removeTokens(app, caller, [id])
    return null
  },
  createMany: createTokens,
  updateMany: updateTokens,
  removeMany: (app, caller, { ids }) => removeTokens(app, caller, ids),
  search: (app, _caller, input) =>
    mapPage(rows.search(app.db, input), row => asOwnedToken(row, nowSeconds(app))),
  updateOfUser: updateTokenOfUser,
  removeOfUser: removeTokenOfUser,
}

export const tokens = implement(contract.tokens, handlers, auditedTokens)

const reveal = async (app: App, caller: SignedInUser, id: number): Promise<string> => {
  const token = await getToken(app, caller, id)
  if (token.key_sealed === '') throw new Fault('token.not_revealable')
  const limit = await app.state.count(`reveal:${caller.userId}`, revealSeconds, revealsMax)
  if (!limit.ok) throw new Fault('rate.reveal', { retryAfterSeconds: limit.retryAfterSeconds })
  return app.seal.open('token-key', sealedAt(id), token.key_sealed)
}
