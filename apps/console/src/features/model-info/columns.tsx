import type { ModelInfo } from '@hub/contract'
import Box from '@mui/material/Box'
import type { ReactNode } from 'react'
import { ModelName } from '../../domain/index.ts'
import { ModalityChips, parseList, TagChips } from '../../domain/model-info/index.ts'
import { type Column, CopyButton, formatCount, OneLine, useT } from '../../ui/index.ts'

/** A name as callers write it; one click copies it. */
const CopyableModel = ({ name }: { name: string }) => {
  const t = useT()
  return (
    <Box
      sx={{
        display: 'inline-flex',
        alignItems: 'center',
        gap: 0.25,
        maxWidth: '100%',
        whiteSpace: { sm: 'nowrap' },
      }}
    >
      <ModelName name={name} />
      <CopyButton text={name} what={t('model-info.fields.model')} />
    </Box>
  )
}

/** Two chips stand side by side before they wrap, so that rows of a narrow table keep their height. */
const Chips = ({ children }: { children: ReactNode }) => (
  <Box sx={{ minWidth: { sm: 152 } }}>{children}</Box>
)

/** 0 stands for a number that is not known. */
const tokens = (count: number) => (count > 0 ? formatCount(count) : '–')

export const columns: Column<ModelInfo>[] = [
  {
    key: 'model',
    emphasized: true,
    sort: true,
    render: row => <CopyableModel name={row.model} />,
  },
  {
    key: 'name',
    sort: true,
    render: row => <OneLine>{row.name}</OneLine>,
  },
  {
    key: 'context_length',
    align: 'right',
    sort: true,
    render: row => tokens(row.context_length),
  },
  { key: 'max_tokens', align: 'right', sort: true, render: row => tokens(row.max_tokens) },
  {
    key: 'input_modalities',
    render: row => (
      <Chips>
        <ModalityChips names={parseList(row.input_modalities)} />
      </Chips>
    ),
  },
  {
    key: 'output_modalities',
    render: row => (
      <Chips>
        <ModalityChips names={parseList(row.output_modalities)} />
      </Chips>
    ),
  },
  {
    key: 'tags',
    render: row => (
      <Chips>
        <TagChips tags={parseList(row.tags)} />
      </Chips>
    ),
  },
]
