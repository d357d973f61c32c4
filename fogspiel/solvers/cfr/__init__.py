"""The CFR family: one loop over the sequence form, schedules of discounts, local learners."""
