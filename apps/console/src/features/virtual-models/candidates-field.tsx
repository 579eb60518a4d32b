import AddIcon from 'virtual:icons/add'
import DeleteIcon from 'virtual:icons/delete'
import {
  candidateEfforts,
  partConditions,
  readCandidateParameters,
  type VirtualCandidate,
} from '@hub/contract'
import Box from '@mui/material/Box'
import Button from '@mui/material/Button'
import IconButton from '@mui/material/IconButton'
import OutlinedInput from '@mui/material/OutlinedInput'
import Stack from '@mui/material/Stack'
import Typography from '@mui/material/Typography'
import { useRef } from 'react'
import { Control, Field, mono, useT } from '../../ui/index.ts'

type Props = {
  id: string
  value: readonly VirtualCandidate[]
  set: (value: VirtualCandidate[]) => void
  groups: readonly string[]
}

const candidatesMax = 20

export const blankCandidate: VirtualCandidate = {
  ...{ model: '', group: '', tier: 1, weight: 1, min_tokens: null, max_tokens: null },
  ...{ tools: 'any', images: 'any', from: '', until: '', effort: '', parameters: '' },
}

/** The candidates as cards, one per row of the virtual model. */
export const CandidatesField = ({ id, value, set, groups }: Props) => {
  const t = useT()
  const keys = useKeys(value.length)
  const update = (index: number, part: Partial<VirtualCandidate>) =>
    set(value.map((each, at) => (at === index ? { ...each, ...part } : each)))
  const add = () => {
    keys.append()
    set([...value, { ...blankCandidate, tier: value.at(-1)?.tier ?? 1 }])
  }
  const remove = (index: number) => {
    keys.remove(index)
    set(value.filter((_, at) => at !== index))
  }
  return (
    <Stack spacing={1.5} id={id}>
      {value.map((candidate, index) => (
        <CandidateCard
          key={keys.at(index)}
          {...{ candidate, groups }}
          number={index + 1}
          update={part => update(index, part)}
          remove={value.length > 1 ? () => remove(index) : undefined}
        />
      ))}
      {value.length < candidatesMax && (
        <Button
          color="inherit"
          startIcon={<AddIcon />}
          onClick={add}
          sx={{ alignSelf: 'flex-start' }}
        >
          {t('virtual-models.candidate.add')}
        </Button>
      )}
    </Stack>
  )
}

type CandidateCardProps = {
  candidate: VirtualCandidate
  groups: readonly string[]
  number: number
  update: (part: Partial<VirtualCandidate>) => void
  remove: (() => void) | undefined
}

const CandidateCard = ({ candidate, groups, number, update, remove }: CandidateCardProps) => {
  const t = useT()
  const title = t('virtual-models.candidate.number', { n: number })
  return (
    <Box
      role="group"
      aria-label={title}
      sx={{ border: '1px solid', borderColor: 'divider', borderRadius: 1, p: 1.5 }}
    >
      <Stack direction="row" sx={{ alignItems: 'center', mb: 1, minHeight: 34 }}>
        <Typography variant="body2" sx={{ fontWeight: 600, flex: 1 }}>
          {title}
        </Typography>
        {remove && (
          <IconButton
            aria-label={t('virtual-models.candidate.remove', { n: number })}
            onClick={remove}
          >
            <DeleteIcon fontSize="small" />
          </IconButton>
        )}
      </Stack>
      <Grid columns={2}>
        <Part {...{ candidate, update }} field="model" />
        <Choice
          {...{ candidate, update }}
          field="group"
          options={[
            { value: '', label: t('virtual-models.ownGroup') },
            ...groups.map(each => ({ value: each, label: each })),
          ]}
        />
      </Grid>
      <Grid columns={4}>
        <Part {...{ candidate, update }} field="tier" isNumber />
        <Part {...{ candidate, update }} field="weight" isNumber />
        <Part {...{ candidate, update }} field="min_tokens" isNumber />
        <Part {...{ candidate, update }} field="max_tokens" isNumber />
      </Grid>
      <Grid columns={4}>
        {(['tools', 'images'] as const).map(field => (
          <Choice
            key={field}
            {...{ candidate, update, field }}
            options={partConditions.map(each => ({
              value: each,
              label: t(`virtual-models.part.${each}`),
            }))}
          />
        ))}
        <Part {...{ candidate, update }} field="from" placeholder="08:00" />
        <Part {...{ candidate, update }} field="until" placeholder="20:00" />
      </Grid>
      <Grid columns={2}>
        <Choice
          {...{ candidate, update }}
          field="effort"
          options={candidateEfforts.map(each => ({
            value: each,
            label: t(`virtual-models.effort.${each || 'own'}`),
          }))}
        />
        <Parameters {...{ candidate, update }} />
      </Grid>
    </Box>
  )
}

const Grid = ({ columns, children }: { columns: 2 | 4; children: React.ReactNode }) => (
  <Box
    sx={{
      display: 'grid',
      gap: 1,
      mb: 1,
      '&:last-child': { mb: 0 },
      gridTemplateColumns: {
        xs: columns === 2 ? '1fr' : '1fr 1fr',
        sm: `repeat(${columns}, minmax(0, 1fr))`,
      },
    }}
  >
    {children}
  </Box>
)

/** Fields that are set in the requests of the candidate, as JSON. */
const Parameters = ({ candidate, update }: Omit<PartProps, 'field'>) => {
  const t = useT()
  const { parameters } = candidate
  const isValid = readCandidateParameters(parameters).success
  return (
    <Field
      label={t('virtual-models.candidate.parameters')}
      help={t('virtual-models.help.parameters')}
      error={isValid ? undefined : t('virtual-models.help.invalidParameters')}
    >
      {({ id, describedBy }) => (
        <OutlinedInput
          id={id}
          fullWidth
          multiline
          maxRows={12}
          value={parameters}
          error={!isValid}
          placeholder={'{"temperature": 0}'}
          inputProps={{ 'aria-describedby': describedBy, spellCheck: false }}
          onChange={event => update({ parameters: event.target.value })}
          sx={{ fontFamily: mono, fontSize: 13 }}
        />
      )}
    </Field>
  )
}

type PartProps = {
  candidate: VirtualCandidate
  update: (part: Partial<VirtualCandidate>) => void
  field: keyof VirtualCandidate
}

const Part = ({
  candidate,
  update,
  field,
  isNumber = false,
  placeholder,
}: PartProps & { isNumber?: boolean; placeholder?: string }) => {
  const t = useT()
  return (
    <Field label={t(`virtual-models.candidate.${field}`)}>
      {ids => (
        <Control
          {...ids}
          kind={isNumber ? 'number' : 'text'}
          options={[]}
          placeholder={placeholder}
          value={candidate[field] ?? ''}
          set={value =>
            update({ [field]: value === undefined || value === '' ? emptyOf(field) : value })
          }
        />
      )}
    </Field>
  )
}

/** An unset bound is null, and an unset text is empty; a number that must exist becomes invalid. */
const emptyOf = (field: keyof VirtualCandidate) => {
  if (field.endsWith('_tokens')) return null
  return field === 'tier' || field === 'weight' ? Number.NaN : ''
}

const Choice = ({
  candidate,
  update,
  field,
  options,
}: PartProps & { options: readonly { value: string; label: string }[] }) => {
  const t = useT()
  return (
    <Field label={t(`virtual-models.candidate.${field}`)}>
      {ids => (
        <Control
          {...ids}
          kind="select"
          {...{ options }}
          value={candidate[field]}
          set={value => update({ [field]: value })}
        />
      )}
    </Field>
  )
}

/** Stable React keys, so that each card keeps its typed text when one before it is removed. */
const useKeys = (count: number) => {
  const { current } = useRef<{ list: number[]; next: number }>({ list: [], next: 0 })
  while (current.list.length < count) current.list.push(current.next++)
  return {
    at: (index: number) => current.list[index],
    append: () => void current.list.push(current.next++),
    remove: (index: number) => void current.list.splice(index, 1),
  }
}
