import { ChannelFields } from '@hub/contract'
import Box from '@mui/material/Box'
import Typography from '@mui/material/Typography'
import { useQuery } from '@tanstack/react-query'
import { z } from 'zod'
import { api, query, useAction } from '../../../api/index.ts'
import { Badge, FormDialog, mono, notify, useT } from '../../../ui/index.ts'
import { useProviders } from '../queries.ts'
import { useSections } from './form.tsx'
import { useChannelFields } from './form-fields.tsx'
import { type ChannelValues, changesOf, valuesOf } from './values.ts'

/** What channels of one tag may have in common; what else a channel has is its own. */
const Common = ChannelFields.omit({ name: true, priority: true, weight: true }).extend({
  key: z.string().trim().max(100_000).default(''),
})
const own = ['name', 'type', 'priority', 'weight']

/** All channels of a tag in one form, filled as the first of them; only what is changed goes into all. */
export const TagForm = ({ tag, onClose }: { tag: string; onClose: () => void }) => {
  const t = useT()
  const { data: tagged } = useQuery(query(api.channels.tag, { tag_name: tag }))
  const providers = useProviders()
  const fields = useChannelFields(undefined)
  const sections = useSections().map(section => ({
    ...section,
    fields: section.fields.filter(each => !own.includes(each)),
  }))
  const update = useAction(['channels', 'models', 'prices'], api.channels.updateTag, {
    onDone: count => notify.success(t('channels.tags.changed', { count })),
  })
  if (!tagged || providers.length === 0) return null
  const provider = providers.find(each => each.type === tagged.type)
  const before = valuesOf(tagged, provider)
  return (
    <FormDialog
      of="channels"
      open
      onClose={onClose}
      title={t('channels.tags.editOf', { tag })}
      verb={t('channels.save')}
      intro={
        <Box sx={{ mb: 2 }}>
          <Typography variant="body2" sx={{ color: 'text.secondary' }}>
            {t('channels.tags.editIntro', { count: tagged.channels.length })}
          </Typography>
          <Typography variant="body2" sx={{ fontWeight: 500, mt: 1.5, mb: 0.75 }}>
            {t('channels.tags.keys')}
          </Typography>
          <Box sx={{ display: 'flex', flexWrap: 'wrap', gap: 0.75, fontFamily: mono }}>
            {tagged.channels.map(({ id, name, status, fingerprint }) => (
              <Badge
                key={id}
                tone={status === 1 ? 'green' : 'gray'}
                text={`${name} · ${fingerprint}`}
              />
            ))}
          </Box>
        </Box>
      }
      schema={Common}
      initial={before}
      fields={{
        ...fields,
        type: { hidden: true },
        key: {
          as: 'multiline',
          rows: 2,
          label: t('channels.tags.addKeys'),
          help: t('channels.tags.addKeysHelp'),
        },
      }}
      sections={sections}
      submit={values =>
        update.attempt({ tag_name: tag, ...changesOf(before, values as ChannelValues) })
      }
    />
  )
}
