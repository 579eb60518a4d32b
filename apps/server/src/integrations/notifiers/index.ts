import { email } from './email.ts'
import type { Notifier } from './notifier.ts'
import { bark } from './push/bark.ts'
import { pushdeer } from './push/pushdeer.ts'
import { serverchan } from './push/serverchan.ts'
import { dingtalk } from './robots/dingtalk.ts'
import { discord } from './robots/discord.ts'
import { lark } from './robots/lark.ts'
import { slack } from './robots/slack.ts'
import { telegram } from './robots/telegram.ts'
import { wecom } from './robots/wecom.ts'
import { webhook } from './webhook.ts'

/** Every notifier, in the order in which the console lists them. */
export const notifiers = [
  email,
  webhook,
  telegram,
  dingtalk,
  lark,
  wecom,
  slack,
  discord,
  bark,
  serverchan,
  pushdeer,
] as unknown as readonly Notifier[]
