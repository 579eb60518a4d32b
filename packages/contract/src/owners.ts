import { z } from 'zod'
import { del, get, Id, NoData, NoInput, post, put, resource } from './resource.ts'

export const Owner = z.object({ id: z.number().int(), name: z.string(), icon: z.string() })
export type Owner = z.output<typeof Owner>
export const NewOwner = z.object({
  /** Ids below 1000 are channel types. */
  id: z.number().int().min(1000).max(1_000_000),
  name: z.string().trim().min(1).max(100),
  icon: z.union([z.literal(''), z.url({ protocol: /^https?$/ }).max(500)]).default(''),
})

export const OwnerPatch = NewOwner.extend({ id: z.number().int().positive() })

export const owners = resource('/api', {
  list: get('/model_ownedby/', {
    access: 'public',
    input: NoInput,
    response: z.array(Owner),
    summary: 'Owners of models',
  }),
  map: get('/ownedby', {
    access: 'public',
    input: NoInput,
    response: z.record(z.string(), Owner),
    summary: 'Owners of models, by id',
  }),
  get: get('/model_ownedby/:id', {
    access: 'admin',
    input: Id,
    response: Owner,
    summary: 'One owner',
  }),
  create: post('/model_ownedby/', {
    access: 'admin',
    input: NewOwner,
    response: Owner,
    summary: 'Adds an owner',
  }),
  update: put('/model_ownedby/', {
    access: 'admin',
    input: OwnerPatch,
    response: Owner,
    summary: 'Changes name or icon of an owner',
  }),
  remove: del('/model_ownedby/:id', {
    access: 'admin',
    input: Id,
    response: NoData,
    summary: 'Deletes an owner that is not built in',
  }),
})
