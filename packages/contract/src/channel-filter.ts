import { z } from 'zod'

/** The filters of the list of channels. */
export const ChannelFilter = z.object({
  type: z.number().int().optional(),
  status: z.number().int().optional(),
  name: z.string().max(100).optional(),
  group: z.string().max(50).optional(),
  models: z.string().max(200).optional(),
  other: z.string().max(500).optional(),
  test_model: z.string().max(200).optional(),
  tag: z.string().max(32).optional(),
  /** 1: only channels without a tag; 2: of each tag the newest channel. */
  filter_tag: z.number().int().min(0).max(2).optional(),
  key: z.string().max(10_000).optional(),
})
