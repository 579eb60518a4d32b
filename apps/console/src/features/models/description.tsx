import ArrowIcon from 'virtual:icons/arrow-forward'
import Box from '@mui/material/Box'
import Link from '@mui/material/Link'
import Typography from '@mui/material/Typography'
import {
  ModalityChips,
  ModalityIcon,
  type ModelDescription,
  modalityLabel,
  TagChips,
} from '../../domain/model-info/index.ts'
import { formatCount, KeyValue, type T, useT } from '../../ui/index.ts'

type Props = { description: ModelDescription }

/** Two lines of the text, the tags, and what the model reads and writes, for the card of a model. */
export const DescriptionSummary = ({ description }: Props) => {
  const t = useT()
  const { tags, inputs, outputs } = description
  const tokens = tokensText(t, description)
  return (
    <Box sx={{ display: 'flex', flexDirection: 'column', gap: 1, fontSize: 13 }}>
      {description.description && (
        <Box sx={twoLines} title={description.description}>
          {description.description}
        </Box>
      )}
      {tags.length > 0 && (
        <div>
          <TagChips tags={tags} />
        </div>
      )}
      {(inputs.length > 0 || tokens) && (
        <Box sx={{ display: 'flex', flexWrap: 'wrap', gap: 1, color: 'text.secondary' }}>
          {inputs.length + outputs.length > 0 && <ModalityFlow {...{ inputs, outputs }} />}
          {tokens}
        </Box>
      )}
    </Box>
  )
}

const twoLines = {
  color: 'text.secondary',
  overflow: 'hidden',
  overflowWrap: 'anywhere',
  display: '-webkit-box',
  WebkitLineClamp: 2,
  WebkitBoxOrient: 'vertical',
}

/** 0 stands for a number that is not known. */
const tokensText = (t: T, { context_length, max_tokens }: ModelDescription): string => {
  const values = { context: formatCount(context_length), output: formatCount(max_tokens) }
  if (context_length > 0 && max_tokens > 0) return t('model-details.tokens', values)
  if (context_length > 0) return t('model-details.contextOnly', values)
  return max_tokens > 0 ? t('model-details.outputOnly', values) : ''
}

/** The icons of the inputs, an arrow, and those of the outputs. */
const ModalityFlow = ({ inputs, outputs }: Pick<ModelDescription, 'inputs' | 'outputs'>) => {
  const t = useT()
  const namesOf = (list: readonly string[]) => list.map(each => modalityLabel(t, each)).join(', ')
  const label = t('model-details.flow', { inputs: namesOf(inputs), outputs: namesOf(outputs) })
  return (
    <Box
      component="span"
      role="img"
      aria-label={label}
      title={label}
      sx={{ display: 'inline-flex', alignItems: 'center', gap: 0.5 }}
    >
      {inputs.map(name => (
        <ModalityIcon key={name} name={name} />
      ))}
      <ArrowIcon sx={{ fontSize: 14 }} />
      {outputs.map(name => (
        <ModalityIcon key={name} name={name} />
      ))}
    </Box>
  )
}

/** Everything that an administrator wrote about a model, and what the vendor's documents add. */
export const DescriptionDetails = ({ description }: Props) => {
  const t = useT()
  const { context_length, max_tokens, inputs, outputs, tags, links, source } = description
  const rows = [
    [t('model-details.context'), context_length > 0 && formatCount(context_length)],
    [t('model-details.maxTokens'), max_tokens > 0 && formatCount(max_tokens)],
    [t('model-details.inputs'), inputs.length > 0 && <ModalityChips names={inputs} />],
    [t('model-details.outputs'), outputs.length > 0 && <ModalityChips names={outputs} />],
    [t('model-details.tags'), tags.length > 0 && <TagChips tags={tags} />],
    [t('model-details.links'), links.length > 0 && <Links links={links} />],
    [
      t('model-details.source', { date: source?.date ?? '' }),
      source && <Links links={[source.address]} />,
    ],
  ] as const
  const known = rows.filter(([, value]) => value)
  return (
    <>
      {description.description && (
        <Typography
          variant="body2"
          sx={{ mb: known.length > 0 ? 1 : 0, whiteSpace: 'pre-line', overflowWrap: 'anywhere' }}
        >
          {description.description}
        </Typography>
      )}
      {known.length > 0 && <KeyValue rows={known} />}
    </>
  )
}

const Links = ({ links }: { links: readonly string[] }) => (
  <Box component="ul" sx={{ listStyle: 'none', m: 0, p: 0 }}>
    {links.map(link => (
      <li key={link}>
        <Link href={link} target="_blank" rel="noopener noreferrer">
          {link.replace(/^https?:\/\//i, '')}
        </Link>
      </li>
    ))}
  </Box>
)
