import type { SecurityMutation } from './mutation.ts'

const ids = ['S58'] as const
const checkFields = 'apps/server/src/relay/price-fields/check-fields.ts'
const checkTest = 'apps/server/src/relay/price-fields/check-fields.test.ts'
const quote = 'apps/server/src/billing/quote.ts'
const callsTest = 'apps/server/test/price-fields.test.ts'
const holdTitle = 'holds at least what a call of'
const chargeTitle = 'that is served as %s costs %i points'

/** Guards of fields and headers that change a vendor's price. */
export const priceFieldMutations: readonly SecurityMutation[] = [
  {
    ids,
    file: checkFields,
    find: "  if (policy === 'refuse')\n",
    replace: "  if (policy === 'refuse' && mode === 'none')\n",
    test: checkTest,
    title: 'is refused, allowed or removed where the price has no ratio',
  },
  {
    ids,
    file: checkFields,
    find: ' ?? fields.get(foldName(key))',
    replace: '',
    test: checkTest,
    title: 'is refused however it is written',
  },
  {
    ids,
    file: checkFields,
    find: '  for (const key in edits)\n    if (edits[key] !== undefined) checkKey(call, request, { key, fields: body, modes })\n',
    replace: '',
    test: checkTest,
    title: 'is judged by the fields that a channel adds',
  },
  {
    ids,
    file: checkFields,
    find: '  if (headers.size > 0) checkHeaders(call, request, headers, modes)\n',
    replace: '',
    test: checkTest,
    title: 'is refused, allowed or removed where the price has no ratio',
  },
  {
    ids,
    file: 'apps/server/src/relay/price-fields/field-index.ts',
    find: "indexOf(baseUrl === '' ? fields : [...fields, ...foreignFields(fields)])",
    replace: "indexOf(baseUrl === '' ? fields : [...fields, ...foreignFields(fields).slice(0, 0)])",
    test: checkTest,
    title: 'with the fields of all vendors judged',
  },
  {
    ids,
    file: 'apps/server/src/relay/price-fields/charged-modes.ts',
    find: '    else modes[dimension] = mode\n',
    replace: '    else modes[dimension] = modes[dimension] ?? mode\n',
    also: [
      {
        file: 'apps/server/src/relay/price-fields/charged-modes.ts',
        find: '    if (mode === undefined) delete modes[dimension]\n    else',
        replace:
          '    if (mode === undefined && !modes[dimension]) delete modes[dimension]\n    else if (mode)',
      },
    ],
    test: callsTest,
    title: chargeTitle,
  },
  {
    ids,
    file: 'apps/server/src/relay/response/finalize.ts',
    find: '    usage: modes.length > 0 ? { ...charged.usage, modes } : charged.usage,\n',
    replace: '',
    test: callsTest,
    title: chargeTitle,
  },
  {
    ids,
    file: 'apps/server/src/billing/calls/settle.ts',
    find: "  app.metrics.alarms.inc({ kind: 'price_mode' })\n",
    replace: '',
    test: callsTest,
    title: 'charges a tier that only the answer names at 1 without a ratio, and raises an alarm',
  },
  {
    ids,
    file: quote,
    find: '  const modes = dearModes(price, reservation.modes)\n',
    replace: '  const modes = dearModes(price, reservation.modes).slice(0, 0)\n',
    test: callsTest,
    title: holdTitle,
  },
  {
    ids,
    file: quote,
    find: '  if (reservation.cacheWrite) {\n',
    replace: "  if (reservation.cacheWrite && price.group === '') {\n",
    test: callsTest,
    title: 'holds a prompt that is marked for a cache at the price of its writes',
  },
  {
    ids,
    file: 'apps/server/src/relay/price-fields/reserved-modes.ts',
    find: '  const added = modesOfCandidates(candidates)\n',
    replace: '  const added = modesOfCandidates(candidates).slice(0, 0)\n',
    test: callsTest,
    title: 'holds the ratio that a channel’s own parameter may cost',
  },
  {
    ids,
    file: 'apps/server/src/relay/background/background.ts',
    find: '      requested: serving.requested,\n',
    replace: '      requested: {},\n',
    test: callsTest,
    title: 'keeps the tier of a response in the background until its charge',
  },
  {
    ids,
    file: 'apps/server/src/stored-objects/batches/plan.ts',
    find: '    this.refusePricedFields(parsed, place)\n',
    replace: '',
    test: 'apps/server/test/stored-objects/message-batches.test.ts',
    title: 'a batch has no request with a price of its own',
  },
  {
    ids,
    file: 'apps/server/src/tasks/submit/candidates.ts',
    find: "  if (policy === 'refuse')\n",
    replace: "  if (policy === 'refuse' && unpriced.length > 99)\n",
    test: 'apps/server/test/tasks/videos.test.ts',
    title: 'at a price per call passes or is refused for its metadata',
  },
  {
    ids,
    file: 'apps/server/src/relay/upstream/prepare.ts',
    find: '  if (before) checkFixedPrice(parsed, before, edits)\n',
    replace: '',
    test: 'apps/server/test/channel-answers.test.ts',
    title: 'a custom parameter does not make an image dearer',
  },
  {
    ids,
    file: 'packages/contract/src/parameter-rules.ts',
    find: 'path => !priced.test(path)',
    replace: "path => path !== ''",
    test: 'apps/server/src/relay/channels/parameter-rules.test.ts',
    title: 'which fixes a price',
  },
  {
    ids,
    file: 'apps/server/src/relay/price-fields/reserved-modes.ts',
    find: 'includesWord(body, hour)',
    replace: 'body.includes(hour)',
    test: 'apps/server/src/relay/price-fields/reserved-modes.test.ts',
    title: 'reserves the cache of a mark that has',
  },
  {
    ids,
    file: 'packages/dialects/src/json/read-request.ts',
    find: 'return length <= cacheMarkMax && isEscapedKeyOf(cursor, cacheMarks)',
    replace: 'return false',
    test: 'apps/server/src/relay/price-fields/reserved-modes.test.ts',
    title: 'reserves the cache of a mark that has',
  },
  {
    ids,
    file: 'packages/dialects/src/openai-responses/usage.ts',
    find: "return item.type === 'image_generation_call' ? imageKindOf(item) : sold[item.type]",
    replace: 'return sold[item.type]',
    test: 'apps/server/test/image-tool.test.ts',
    title: 'pays each image by its quality and size',
  },
  {
    ids,
    file: 'apps/server/src/billing/prices/terms.ts',
    find: "tools[kind] ?? tools[kind.split(':', 1)[0]!]",
    replace: 'tools[kind]',
    test: 'apps/server/src/billing/price.test.ts',
    title: 'any other image has the dearest',
  },
]
