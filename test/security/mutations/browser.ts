import type { SecurityMutation } from './mutation.ts'

/** Guards of what a browser runs and shows. */
export const browserMutations: readonly SecurityMutation[] = [
  {
    ids: ['S12'],
    file: 'apps/server/src/http/security-headers.ts',
    find: "'script-src': [\"'self'\"]",
    replace: "'script-src': [\"'self'\", \"'unsafe-inline'\", \"'unsafe-eval'\", '*']",
    test: 'test/security/untrusting.test.ts',
    title: 'C12 S12 the content security policy',
  },
  {
    ids: ['C12'],
    file: 'apps/server/src/http/security-headers.ts',
    find: "referrerPolicy: { policy: 'same-origin' }",
    replace: "referrerPolicy: { policy: 'unsafe-url' }",
    test: 'test/security/untrusting.test.ts',
    title: 'C12 every answer of the console carries its protections',
  },
  {
    ids: ['C12'],
    file: 'apps/server/src/http/security-headers.ts',
    find: "    if (request.url.startsWith('/api')) reply.header('cache-control', 'no-store')\n",
    replace: '',
    test: 'apps/server/src/http/server.test.ts',
    title: 'C12 no answer of the admin API is stored',
  },
  {
    ids: ['S12', 'C23'],
    file: 'apps/console/src/ui/content/markdown.tsx',
    find: 'plugins={[raw, [rehypeSanitize, allowed]]}',
    replace: 'plugins={[raw]}',
    test: 'apps/console/src/ui/content/markdown.test.tsx',
    title: 'is rendered harmless',
  },
  {
    ids: ['C23'],
    file: 'apps/console/src/ui/content/markdown.tsx',
    find: '  ...defaultSchema,\n  tagNames:',
    replace:
      "  ...defaultSchema,\n  attributes: { ...defaultSchema.attributes, '*': ['style', 'className'] },\n  tagNames:",
    test: 'apps/console/src/ui/content/markdown.test.tsx',
    title: 'is rendered harmless',
  },
  {
    ids: ['C24'],
    file: 'apps/console/src/domain/chat-links.ts',
    find: '!forbidden.test(scheme)',
    replace: '!forbidden.test(url)',
    test: 'apps/console/src/domain/chat-links.test.ts',
    title: 'links that could run a script',
  },
]
