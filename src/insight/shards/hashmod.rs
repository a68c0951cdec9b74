//! The hash of Prometheus' relabel action `hashmod` (`model/relabel`: `relabel`).

use std::num::{NonZeroU32, NonZeroU64};

/// The last 8 bytes of the MD5 sum, most significant first, modulo `modulus`.
pub fn hashmod(value: &str, modulus: NonZeroU64) -> u64 {
    let sum = u128::from_be_bytes(md5::compute(value).0);
    #[expect(clippy::cast_possible_truncation, reason = "only the last 8 bytes count")]
    let last = sum as u64;
    last % modulus
}

/// The shard of a target, from 0.
pub fn shard(address: &str, shards: NonZeroU32) -> u32 {
    let shard = hashmod(address, shards.into());
    u32::try_from(shard).unwrap_or(u32::MAX)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn modulus(value: u64) -> NonZeroU64 {
        NonZeroU64::new(value).unwrap()
    }

    #[test]
    fn values_are_those_of_prometheus() {
        // From the tests of Prometheus' model/relabel.
        assert_eq!(hashmod("baz", modulus(1000)), 976);
        assert_eq!(hashmod("foo\nbar", modulus(1000)), 734);
    }

    #[test]
    fn the_arithmetic_is_that_of_the_last_eight_bytes() {
        // MD5 of the empty string, RFC 1321 A.5: d41d8cd98f00b204 e9800998ecf8427e.
        let last = 0xe980_0998_ecf8_427e_u64;
        assert_eq!(last, 16_825_458_760_271_544_958);
        for (divisor, remainder) in [(1, 0), (2, 0), (3, 1), (7, 1), (1000, 958), (u64::MAX, last)] {
            assert_eq!(last % divisor, remainder, "{divisor}");
            assert_eq!(hashmod("", modulus(divisor)), remainder, "{divisor}");
        }
    }

    #[test]
    fn shards_start_at_zero() {
        let shards = |count| NonZeroU32::new(count).unwrap();
        assert_eq!(shard("10.0.0.1:9100", shards(1)), 0);
        assert!((0..100).all(|i| shard(&format!("10.0.0.{i}:9100"), shards(3)) < 3));
    }
}
