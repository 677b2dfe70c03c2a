-- Whether the file begins with a byte order mark; null: whoever asked did not say.
alter table report_exports add column byte_order_mark boolean;
