import { newcomers } from './newcomers.ts'
import type { DemoPerson } from './person.ts'

const harbor = 'harborworks.example'
const linden = 'linden-labs.example'
const mail = 'mail.example'

/** Invented people of invented companies. */
const regulars: readonly DemoPerson[] = [
  {
    username: 'elena.marsh',
    name: 'Elena Marsh',
    mail: harbor,
    group: 'vip',
    style: 'agent',
    weight: 30,
    joinedDaysAgo: 60,
    keys: ['Claude Code', 'CI reviews'],
    topUp: 100,
  },
  {
    username: 'tomas.ek',
    name: 'Tomas Ek',
    mail: harbor,
    group: 'team',
    style: 'agent',
    weight: 22,
    joinedDaysAgo: 60,
    keys: ['Claude Code', 'laptop'],
    topUp: 100,
  },
  {
    username: 'harbor-search',
    name: 'Harborworks Search',
    mail: harbor,
    group: 'team',
    style: 'app',
    weight: 40,
    joinedDaysAgo: 59,
    keys: ['production', 'staging'],
    topUp: 50,
  },
  {
    username: 'linden-assist',
    name: 'Linden Assistant',
    mail: linden,
    group: 'vip',
    style: 'app',
    weight: 44,
    joinedDaysAgo: 58,
    keys: ['assistant', 'evaluation'],
    topUp: 100,
  },
  {
    username: 'priya.raman',
    name: 'Priya Raman',
    mail: linden,
    group: 'vip',
    style: 'agent',
    weight: 20,
    joinedDaysAgo: 58,
    keys: ['Codex', 'notebook'],
    topUp: 50,
  },
  {
    username: 'jonas.weidel',
    name: 'Jonas Weidel',
    mail: linden,
    group: 'team',
    style: 'agent',
    weight: 14,
    joinedDaysAgo: 55,
    keys: ['Cursor'],
    topUp: 50,
  },
  {
    username: 'meilin.zhao',
    name: '赵美琳',
    mail: 'yunshan.example',
    group: 'vip',
    style: 'app',
    weight: 26,
    joinedDaysAgo: 54,
    keys: ['客服机器人', '测试'],
    topUp: 100,
  },
  {
    username: 'haruto.senda',
    name: '千田 陽翔',
    mail: 'senda-kobo.example',
    group: 'default',
    style: 'chat',
    weight: 12,
    joinedDaysAgo: 52,
    keys: ['Cherry Studio'],
    topUp: 20,
  },
  {
    username: 'olive.carter',
    name: 'Olive Carter',
    mail,
    group: 'default',
    style: 'chat',
    weight: 9,
    joinedDaysAgo: 50,
    keys: ['Open WebUI'],
    topUp: 20,
  },
  {
    username: 'ruben.castell',
    name: 'Ruben Castell',
    mail: 'tramuntana.example',
    group: 'team',
    style: 'app',
    weight: 18,
    joinedDaysAgo: 47,
    keys: ['newsletter', 'translations'],
    topUp: 50,
  },
  {
    username: 'ingrid.solvang',
    name: 'Ingrid Solvang',
    mail: 'fjordpost.example',
    group: 'default',
    style: 'chat',
    weight: 7,
    joinedDaysAgo: 45,
    keys: ['laptop'],
    topUp: 10,
  },
  {
    username: 'david.okafor',
    name: 'David Okafor',
    mail: 'brightmile.example',
    group: 'team',
    style: 'agent',
    weight: 13,
    joinedDaysAgo: 43,
    invitedBy: 'elena.marsh',
    keys: ['Claude Code'],
    topUp: 50,
  },
  {
    username: 'weiming.tan',
    name: '陈伟明',
    mail: 'yunshan.example',
    group: 'default',
    style: 'chat',
    weight: 8,
    joinedDaysAgo: 41,
    invitedBy: 'meilin.zhao',
    keys: ['LobeChat'],
    topUp: 20,
  },
  {
    username: 'sara.lindqvist',
    name: 'Sara Lindqvist',
    mail: 'fjordpost.example',
    group: 'default',
    style: 'chat',
    weight: 5,
    joinedDaysAgo: 38,
    invitedBy: 'ingrid.solvang',
    keys: ['phone'],
    topUp: 10,
  },
]

export const people: readonly DemoPerson[] = [...regulars, ...newcomers]

/** A customer whose pages are worth a look: agents, tasks, orders, an invoice. */
export const customer = people[0]!
const staff = {
  mail: 'harborai.example',
  group: 'default',
  style: 'chat',
  joinedDaysAgo: -1,
} as const

/** The operators use what they sell. They pay nothing, and get what they use. */
export const rootPerson: DemoPerson = {
  ...staff,
  ...{ username: 'root', name: 'Root User', weight: 6, keys: ['console', 'monitoring'], topUp: 20 },
}
export const administrator: DemoPerson = {
  ...staff,
  ...{ username: 'mira.hansen', name: 'Mira Hansen', weight: 5, keys: ['laptop'], topUp: 20 },
}
