import { ChannelFields } from '@hub/contract'
import Box from '@mui/material/Box'
import Typography from '@mui/material/Typography'
import { useQuery } from '@tanstack/react-query'
import { z } from 'zod'
import { api, query } from '../../../api/index.ts'
import { Badge, FormDialog, mono, notify, useAction, useT } from '../../../ui/index.ts'
import { useChannelFields } from '../form/channel-fields.tsx'
import { basicFields, foldedSections, useChannelSections } from '../form/channel-form.tsx'
import {
  type ChannelValues,
  changesOf,
  editedSecrets,
  formValuesOf,
} from '../form/channel-values.ts'
import { useProviders } from '../queries.ts'

/** The fields that channels of one tag can share. */
const SharedFields = ChannelFields.omit({ name: true, priority: true, weight: true }).extend({
  ...editedSecrets,
  key: z.string().trim().max(100_000).default(''),
})
const perChannelFields = ['name', 'type', 'priority', 'weight']

/** Edits all channels of a tag, starting from the values of the first; only changed fields are saved. */
export const TagForm = ({ tag, onClose }: { tag: string; onClose: () => void }) => {
  const t = useT()
  const { data: tagged } = useQuery(query(api.channels.tag, { tag_name: tag }))
  const providers = useProviders()
  const fields = useChannelFields(undefined, tagged?.is_set)
  const sections = useChannelSections(basicFields, foldedSections, tagged?.is_set).map(section => ({
    ...section,
    fields: section.fields.filter(each => !perChannelFields.includes(each)),
  }))
  const update = useAction(['channels', 'models', 'prices'], api.channels.updateTag, {
    onSuccess: count => notify.success(t('channels.tags.changed', { count })),
  })
  if (!tagged || providers.length === 0) return null
  const provider = providers.find(each => each.type === tagged.type)
  const before = formValuesOf(tagged, provider)
  return (
    <FormDialog
      resource="channels"
      open
      onClose={onClose}
      title={t('channels.tags.editTitle', { tag })}
      submitLabel={t('channels.save')}
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
      schema={SharedFields}
      initialValues={before}
      fieldOverrides={{
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
