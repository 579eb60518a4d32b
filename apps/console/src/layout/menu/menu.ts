/** The sidebar as data. The locale key of each title is `menu.<id>`. */
export type MenuItem = {
  type: 'item'
  id: string
  url: string
  icon: string
  isAdmin?: boolean
  isRoot?: boolean
  /** Shown only while the site makes monthly invoices. */
  isInvoice?: boolean
}
export type MenuCollapse = {
  type: 'collapse'
  id: string
  icon: string
  isAdmin?: boolean
  children: MenuItem[]
}
export type MenuGroup = {
  type: 'group'
  id: string
  /** The id of the title for the entries that every user has; absent: that of the group. */
  ownId?: string
  children: (MenuItem | MenuCollapse)[]
}

const item = (id: string, url: string, more: Partial<MenuItem> = {}): MenuItem => ({
  type: 'item',
  id,
  url: `/panel/${url}`,
  icon: id,
  ...more,
})
const admin = { isAdmin: true }

export const menu: MenuGroup[] = [
  {
    type: 'group',
    id: 'dashboardGroup',
    children: [
      item('dashboard', 'dashboard'),
      item('analytics', 'analytics', admin),
      item('margin', 'margin', admin),
      item('playground', 'playground'),
      item('conformance', 'conformance'),
    ],
  },
  {
    type: 'group',
    id: 'settingGroup',
    ownId: 'account',
    children: [
      item('user', 'user', admin),
      item('channel', 'channel', admin),
      {
        type: 'collapse',
        id: 'operation',
        icon: 'operation',
        isAdmin: true,
        children: [
          item('user_group', 'user_group', admin),
          item('pricing', 'pricing', admin),
          item('telegram', 'telegram', admin),
          item('model_ownedby', 'model_ownedby', admin),
          item('model_info', 'model_info', admin),
          item('user_token', 'user_token', admin),
          item('virtual_model', 'virtual_model', admin),
          item('simulator', 'simulator', admin),
        ],
      },
      {
        type: 'collapse',
        id: 'paySetting',
        icon: 'paySetting',
        isAdmin: true,
        children: [item('redemption', 'redemption', admin), item('payment', 'payment', admin)],
      },
      item('token', 'token'),
      item('profile', 'profile'),
      item('setting', 'setting', admin),
      item('notification', 'notification', admin),
      item('oauth_provider', 'oauth_provider', { isAdmin: true, isRoot: true }),
    ],
  },
  {
    type: 'group',
    id: 'billingGroup',
    children: [item('topup', 'topup'), item('model_price', 'model_price')],
  },
  {
    type: 'group',
    id: 'usageGroup',
    children: [
      item('log', 'log'),
      item('invoice', 'invoice', { isInvoice: true }),
      item('midjourney', 'midjourney'),
      item('task', 'task'),
      item('audit', 'audit', { isAdmin: true }),
      item('system_info', 'system_info', { isAdmin: true, isRoot: true }),
    ],
  },
]

type Permissions = { isAdmin: boolean; isRoot: boolean; hasInvoices: boolean }

/** The menu entries that a user may open, without empty sections. */
export const menuFor = (permissions: Permissions): MenuGroup[] => {
  const isVisible = (each: Pick<MenuItem, 'isAdmin' | 'isRoot' | 'isInvoice'>) =>
    (!each.isAdmin || permissions.isAdmin) &&
    (!each.isRoot || permissions.isRoot) &&
    (!each.isInvoice || permissions.hasInvoices)
  return menu
    .map(group => ({
      ...group,
      children: group.children.flatMap((child): (MenuItem | MenuCollapse)[] => {
        if (!isVisible(child)) return []
        if (child.type === 'item') return [child]
        const children = child.children.filter(isVisible)
        return children.length > 0 ? [{ ...child, children }] : []
      }),
    }))
    .filter(group => group.children.length > 0)
}

/** The id of a group's title. A user who manages nothing sees only own entries. */
export const titleIdOf = ({ id, ownId, children }: MenuGroup): string =>
  children.some(each => each.isAdmin) ? id : (ownId ?? id)

/** Parts the entries of a group where those that manage the site and those of the user meet. The order stays. */
export const partsOf = ({ children }: MenuGroup): MenuGroup['children'][] => {
  const parts: MenuGroup['children'][] = []
  for (const child of children) {
    const part = parts.at(-1)
    if (part && Boolean(part[0]?.isAdmin) === Boolean(child.isAdmin)) part.push(child)
    else parts.push([child])
  }
  // One entry between the others is no part of its own.
  return parts.length > 2 &&
    parts.some((part, at) => at > 0 && at < parts.length - 1 && part.length === 1)
    ? [parts.flat()]
    : parts
}

/** Finds the menu item of a path and its section. The page of one record belongs to the item of its list. */
export const findMenuItem = (path: string): { parent: string; item: MenuItem } | undefined => {
  for (const group of menu)
    for (const child of group.children) {
      if (child.type === 'item' && isWithin(path, child.url))
        return { parent: child.isAdmin ? group.id : (group.ownId ?? group.id), item: child }
      if (child.type !== 'collapse') continue
      const item = child.children.find(each => isWithin(path, each.url))
      if (item) return { parent: child.id, item }
    }
  return undefined
}

const isWithin = (path: string, url: string): boolean => path === url || path.startsWith(`${url}/`)

/** The collapsible section that contains the page of a path, as a list of at most one id. */
export const sectionOf = (path: string): string[] =>
  menu
    .flatMap(group => group.children)
    .filter(child => child.type === 'collapse' && child.children.some(each => each.url === path))
    .map(child => child.id)

export const flatMenu = (permissions: Permissions): MenuItem[] =>
  menuFor(permissions).flatMap(group =>
    group.children.flatMap(child => (child.type === 'item' ? [child] : child.children)),
  )
