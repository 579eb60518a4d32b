import { z } from 'zod'
import { Channel, ChannelFields, ChannelTag } from './channel-fields.ts'
import { del, get, Nothing, patchOf, put } from './resource.ts'

/** Not `tag`: the body may name the tag that it shall become. */
const Named = z.object({ tag_name: ChannelTag.min(1) })

/** Channels of one tag, seen as one: what the first of them has, and whose keys there are. */
export const TaggedChannels = Channel.extend({
  channels: z.array(
    z.object({
      id: z.number(),
      name: z.string(),
      status: z.number(),
      /** Two channels with the same one have the same key. The key itself is never sent. */
      fingerprint: z.string(),
    }),
  ),
})

/** Under `/api/channel_tag`: what is done to all channels of a tag together. */
export const channelTags = {
  allTags: get('/_all', {
    access: 'admin',
    input: Nothing,
    reply: z.array(
      z.object({ id: z.number(), tag: z.string(), channels: z.number(), enabled: z.number() }),
    ),
    summary: 'Every tag, with how many channels it has',
  }),
  tagged: get('/:tag_name/list', {
    access: 'admin',
    input: Named,
    reply: z.array(Channel),
    summary: 'The channels of a tag',
  }),
  tag: get('/:tag_name', {
    access: 'admin',
    input: Named,
    reply: TaggedChannels,
    summary: 'The first channel of a tag, and the fingerprints of all its keys',
  }),
  updateTag: put('/:tag_name', {
    access: 'admin',
    input: patchOf(ChannelFields)
      .omit({ type: true, name: true, priority: true, weight: true })
      .extend({
        ...Named.shape,
        /** One key a line: each becomes another channel of the tag. Absent: none. */
        key: z.string().trim().max(100_000).meta({ secret: true }).optional(),
      }),
    reply: z.number(),
    summary: 'Changes what the body names in all channels of a tag; answers how many it has now',
  }),
  removeTagged: del('/:tag_name', {
    access: 'admin',
    input: Named,
    reply: z.number(),
    summary: 'Deletes all channels of a tag; answers how many',
  }),
  removeTaggedDisabled: del('/:tag_name/disabled', {
    access: 'admin',
    input: Named,
    reply: z.number(),
    summary: 'Deletes the disabled channels of a tag; answers how many',
  }),
  setTagPriority: put('/:tag_name/priority', {
    access: 'admin',
    input: Named.extend({
      type: z.literal('priority').default('priority'),
      value: z.number().int().min(0).max(1_000_000),
    }),
    reply: z.number(),
    summary: 'Sets the priority of all channels of a tag; answers how many',
  }),
  setTagStatus: put('/:tag_name/status/:status', {
    access: 'admin',
    input: Named.extend({ status: z.enum(['enable', 'disable']) }),
    reply: z.number(),
    summary: 'Enables or disables all channels of a tag; answers how many',
  }),
}
