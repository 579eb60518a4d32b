import { expect, it } from 'vitest'
import { ledgerBatchParameters, previousLedgerBatchParameters } from './ledger-batch-parameters.ts'

it('the parameters of `ledger_batch_v2` keep the order and the types of released databases', () => {
  const types = previousLedgerBatchParameters
    .map(({ type }) => type.replace('bigint', 'int8'))
    .join(' ')
  expect(types.replaceAll('int8[]', 'N').replaceAll('text[]', 'T')).toBe(
    'int8 boolean N N N N N N N T int[] N N N N T T T T N N N N N T T N N N N N N T N N N N N N T T int[]',
  )
})

it('the names of the parameters are unique', () => {
  const names = ledgerBatchParameters.map(({ name }) => name)
  expect(new Set(names).size).toBe(names.length)
  expect(names).toHaveLength(46)
})
