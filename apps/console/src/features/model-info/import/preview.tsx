import type { NewModelInfo } from '@hub/contract'
import Box from '@mui/material/Box'
import Button from '@mui/material/Button'
import Stack from '@mui/material/Stack'
import Table from '@mui/material/Table'
import TableBody from '@mui/material/TableBody'
import TableCell from '@mui/material/TableCell'
import TableHead from '@mui/material/TableHead'
import TableRow from '@mui/material/TableRow'
import { useState } from 'react'
import { ModelName } from '../../../domain/index.ts'
import { ModalityChips, parseList, TagChips } from '../../../domain/model-info/index.ts'
import { Badge, formatCount, TwoLines, useT } from '../../../ui/index.ts'

const initialRows = 100
const wide = { display: { xs: 'none', md: 'table-cell' } }

type Props = { infos: readonly NewModelInfo[]; isStored: (model: string) => boolean }

/** The entries of a list, each with whether its model has an entry already. */
export const Preview = ({ infos, isStored }: Props) => {
  const t = useT()
  const [isExpanded, setExpanded] = useState(false)
  const shown = isExpanded ? infos : infos.slice(0, initialRows)
  const hiddenCount = infos.length - shown.length
  return (
    <>
      <Box
        tabIndex={0}
        role="region"
        aria-label={t('model-info.import.preview')}
        sx={{
          overflow: 'auto',
          maxHeight: 420,
          border: '1px solid',
          borderColor: 'divider',
          borderRadius: 1,
        }}
      >
        <Table size="small" stickyHeader>
          <TableHead>
            <TableRow>
              <TableCell>{t('model-info.fields.model')}</TableCell>
              <TableCell align="right" sx={wide}>
                {t('model-info.fields.context_length')}
              </TableCell>
              <TableCell align="right" sx={wide}>
                {t('model-info.fields.max_tokens')}
              </TableCell>
              <TableCell sx={wide}>{t('model-info.fields.input_modalities')}</TableCell>
              <TableCell sx={wide}>{t('model-info.fields.output_modalities')}</TableCell>
              <TableCell sx={wide}>{t('model-info.fields.tags')}</TableCell>
              <TableCell>{t('model-info.import.state')}</TableCell>
            </TableRow>
          </TableHead>
          <TableBody>
            {shown.map(info => (
              <PreviewRow key={info.model} info={info} isStored={isStored(info.model)} />
            ))}
          </TableBody>
        </Table>
      </Box>
      {hiddenCount > 0 && (
        <Button color="inherit" onClick={() => setExpanded(true)}>
          {t('model-info.import.more', { count: hiddenCount })}
        </Button>
      )}
    </>
  )
}

const PreviewRow = ({ info, isStored }: { info: NewModelInfo; isStored: boolean }) => {
  const inputs = <ModalityChips names={parseList(info.input_modalities)} />
  const tags = parseList(info.tags)
  return (
    <TableRow>
      <TableCell>
        <TwoLines
          first={
            <Box component="span" sx={{ fontWeight: 500, overflowWrap: 'anywhere' }}>
              <ModelName name={info.model} />
            </Box>
          }
          second={info.name !== info.model && info.name}
        />
        <Stack spacing={0.5} sx={{ mt: 0.5, display: { md: 'none' }, alignItems: 'flex-start' }}>
          <div>{inputs}</div>
          {tags.length > 0 && (
            <div>
              <TagChips tags={tags} />
            </div>
          )}
        </Stack>
      </TableCell>
      <TableCell align="right" sx={wide}>
        {formatCount(info.context_length)}
      </TableCell>
      <TableCell align="right" sx={wide}>
        {formatCount(info.max_tokens)}
      </TableCell>
      <TableCell sx={wide}>{inputs}</TableCell>
      <TableCell sx={wide}>
        <ModalityChips names={parseList(info.output_modalities)} />
      </TableCell>
      <TableCell sx={wide}>
        <TagChips tags={tags} />
      </TableCell>
      <TableCell>
        <Badge
          tone={isStored ? 'amber' : 'green'}
          labelKey={isStored ? 'model-info.import.exists' : 'model-info.import.new'}
        />
      </TableCell>
    </TableRow>
  )
}
