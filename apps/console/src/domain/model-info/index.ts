export {
  type ModelDescription,
  parseList,
  useModelDescriptions,
  withVendorInfo,
} from './descriptions.ts'
export { sortTags, TagChips, TagMark } from './info-chip.tsx'
export { ModalityChips, ModalityIcon, modalityLabel, sortModalities } from './modalities.tsx'
