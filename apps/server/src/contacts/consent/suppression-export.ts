import { fileExport, readPages } from '../../identity/access/file-exports.ts';
import { toCsv, type CsvColumns } from '../../platform/csv-text.ts';
import { sourceOf } from './subscription.ts';
import {
  countSuppressions,
  listSuppressionsAfter,
  type StoredSuppression,
} from './suppression-list.queries.ts';

const pageRows = 2_000;

const columns: CsvColumns<StoredSuppression> = {
  address: (row) => row.address,
  reason: (row) => row.reason,
  at: (row) => row.at,
  brand: (row) => row.brand_name,
  brand_id: (row) => row.brand_id,
  source: sourceOf,
  email: (row) => row.touchpoint?.name,
  send_id: (row) => row.send_id,
  note: (row) => row.note,
};

export const suppressionExport = fileExport(
  'suppressions.export',
  async ({ organization_id: _id, ...filter }, { transaction, readPage }) => {
    const { count } = await transaction((trx) => countSuppressions(trx, filter));
    const pages = readPages<StoredSuppression>(readPage, pageRows, (trx, { last, limit }) =>
      listSuppressionsAfter(trx, filter, { afterId: last?.id, limit }),
    );
    return {
      name: 'suppressions.csv',
      pieces: toCsv(columns, pages),
      note: { record_type: 'suppressions', details: { count, filters: Object.keys(filter) } },
    };
  },
);
