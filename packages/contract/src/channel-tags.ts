import { z } from 'zod'
import {
  Channel,
  ChannelFieldsPatch,
  ChannelTag,
  channelState,
  groupList,
} from './channel-fields.ts'
import { del, get, NoInput, put, rowFields } from './resource.ts'

/** The path parameter is not called `tag`, because the body may have a new value for `tag`. */
const TagByName = z.object({ tag_name: ChannelTag.min(1) })

/** All channels of one tag: the fields of the first channel, and a fingerprint of each key. */
export const TaggedChannels = Channel.extend({
  channels: z.array(
    z.object({
      id: z.number(),
      name: z.string(),
      status: z.number(),
      /** Equal fingerprints mean equal keys. The key itself is never sent. */
      fingerprint: z.string(),
    }),
  ),
})

/** Endpoints of `/api/channel_tag`, which change all channels of a tag together. */
export const channelTags = {
  allTags: get('/_all', {
    access: 'admin',
    input: NoInput,
    response: z.array(
      z.object({ id: z.number(), tag: z.string(), channels: z.number(), enabled: z.number() }),
    ),
    summary: 'Every tag, with its number of channels',
  }),
  tagged: get('/:tag_name/list', {
    access: 'admin',
    input: TagByName,
    response: z.array(Channel),
    summary: 'The channels of a tag',
  }),
  tag: get('/:tag_name', {
    access: 'admin',
    input: TagByName,
    response: TaggedChannels,
    summary: 'The first channel of a tag, and the fingerprints of all its keys',
  }),
  updateTag: put('/:tag_name', {
    access: 'admin',
    input: ChannelFieldsPatch.omit({ type: true, name: true, priority: true, weight: true }).extend(
      {
        ...TagByName.shape,
        /** One key per line. Each line adds a channel to the tag. */
        key: z.string().trim().max(100_000).meta({ secret: true }).optional(),
      },
    ),
    ignored: [
      ...channelState,
      ...rowFields(
        TaggedChannels,
        'id',
        'type',
        'name',
        'priority',
        'weight',
        'status',
        'channels',
      ),
    ],
    repeated: groupList,
    response: z.number(),
    summary: 'Changes the given fields in all channels of a tag; returns the number of channels',
  }),
  removeTagged: del('/:tag_name', {
    access: 'admin',
    input: TagByName,
    response: z.number(),
    summary: 'Deletes all channels of a tag; returns their number',
  }),
  removeTaggedDisabled: del('/:tag_name/disabled', {
    access: 'admin',
    input: TagByName,
    response: z.number(),
    summary: 'Deletes the disabled channels of a tag; returns their number',
  }),
  setTagPriority: put('/:tag_name/priority', {
    access: 'admin',
    input: TagByName.extend({
      type: z.enum(['priority', 'weight']).default('priority'),
      value: z.number().int().min(0).max(1_000_000),
    }).refine(({ type, value }) => type === 'priority' || value >= 1, {
      path: ['value'],
      message: 'must be at least 1 for a weight',
    }),
    response: z.number(),
    summary: 'Sets the priority or the weight of all channels of a tag; returns their number',
  }),
  setTagStatus: put('/:tag_name/status/:status', {
    access: 'admin',
    input: TagByName.extend({ status: z.enum(['enable', 'disable']) }),
    response: z.number(),
    summary: 'Enables or disables all channels of a tag; returns their number',
  }),
}
