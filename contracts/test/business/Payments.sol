// SPDX-License-Identifier: MIT
pragma solidity 0.8.30;

import {IRemitHub} from "../../src/interfaces/IRemitHub.sol";
import {Signing} from "../support/Signing.sol";
import {Sweeps} from "./Sweeps.sol";

/// @notice Payers pay forwarders by signature, and forwarders are distributed.
abstract contract Payments is Sweeps {
    uint8 private constant DISTRIBUTING = 2;

    uint256 public settlements;
    uint256 public distributions;

    IRemitHub.Authorization[] private _old;

    /// @dev Up to twice as much as the fee of one distribution is capped at.
    function payForwarder(uint256 seed, uint256 amount) external {
        usdt.mint(forwarders[seed % MERCHANTS], within(amount, 1, 1e10));
    }

    /// @dev One of the three is wrong and one is of a payer with code: the good one alone is paid.
    ///      Settling is never stopped.
    function settlePayments(uint256 seed, uint256 amount) external {
        uint256 m = seed % MERCHANTS;
        amount = within(amount, 1, 1e9);
        IRemitHub.Authorization[] memory items = new IRemitHub.Authorization[](3);
        uint256 good = (seed >> 8) % 3;
        for (uint256 i; i < 3; ++i) {
            items[i] = authorization(merchantOf(m), amount, bytes32(++count));
        }
        items[(good + 1) % 3].value += 1;
        items[(good + 2) % 3] = byWallet(items[(good + 2) % 3]);
        uint256 held = heldFor(m);
        bool isDistributed = seed >> 16 & 1 == 0;
        IRemitHub.Distribution[] memory distributed =
            isDistributed ? distributionOf(merchantOf(m), versions[m]) : noDistributions();
        vm.prank(isDistributed ? roles.operator : STRANGER);
        hub.settle(address(usdc), items, AUTHORIZATION_GAS, distributed, plenty());
        vm.assertEq(heldFor(m), held + amount, "the good item alone");
        _old.push(items[good]);
        ++settlements;
    }

    /// @dev The wallet lane takes what the other refuses, once.
    function settleWallet(uint256 seed, uint256 amount) external {
        uint256 m = seed % MERCHANTS;
        amount = within(amount, 1, 1e9);
        IRemitHub.Authorization memory item =
            byWallet(authorization(merchantOf(m), amount, bytes32(++count)));
        IRemitHub.WalletAuthorization[] memory items = new IRemitHub.WalletAuthorization[](2);
        bytes memory signature = abi.encodePacked(item.r, item.s, item.v);
        items[0] = IRemitHub.WalletAuthorization(
            item.from, item.to, item.value, 0, item.validBefore, item.nonce, signature
        );
        items[1] = items[0];
        uint256 held = usdc.balanceOf(forwarders[m]);
        settleAll(batch(item));
        vm.assertEq(usdc.balanceOf(forwarders[m]), held, "a payer with code has his own lane");
        hub.settleWallets(address(usdc), items, ITEM_GAS, noDistributions(), plenty());
        vm.assertEq(usdc.balanceOf(forwarders[m]), held + amount, "once");
    }

    /// @dev A payer who has code for a while (EIP-7702), between the trial and the transaction.
    function settlePayerWithCode(uint256 seed, uint256 amount) external {
        uint256 m = seed % MERCHANTS;
        amount = within(amount, 1, 1e9);
        IRemitHub.Authorization memory item = authorization(merchantOf(m), amount, bytes32(++count));
        uint256 held = usdc.balanceOf(forwarders[m]);
        vm.etch(payer, hex"fe");
        settleAll(batch(item));
        vm.assertEq(usdc.balanceOf(forwarders[m]), held, "not while there is code");
        vm.etch(payer, "");
        settleAll(batch(item));
        vm.assertEq(usdc.balanceOf(forwarders[m]), held + amount, "without it");
    }

    function distributeOne(uint256 seed) external {
        uint256 m = seed % MERCHANTS;
        address token = goodToken(seed);
        uint32 version = seed >> 8 & 15 == 0 ? versions[m] + 1 : versions[m];
        distributeChecked(roles.operator, token, m, version);
    }

    function distributeAsStranger(uint256 seed) external {
        uint256 m = seed % MERCHANTS;
        address token = goodToken(seed);
        address caller = seed >> 8 & 1 == 0 ? STRANGER : treasury(m, 1);
        if (caller == treasuries[m] && hub.announcedAt(merchantOf(m)) != 0) return;
        uint256 held = balance(token, forwarders[m]);
        vm.prank(caller);
        hub.distribute(token, distributionOf(merchantOf(m), versions[m]), plenty());
        vm.assertEq(balance(token, forwarders[m]), held, "refused");
    }

    function replayPayment(uint256 seed) internal {
        if (_old.length != 0) settle(_old[seed % _old.length]);
    }

    function distributeChecked(address caller, address token, uint256 m, uint32 version)
        internal
        returns (bool done)
    {
        uint256 held = balance(token, forwarders[m]);
        uint256 received = balance(token, treasuries[m]);
        uint256 collected = balance(token, roles.collector);
        uint256 owed = hub.feeHeld(forwarders[m], token);
        vm.prank(caller);
        hub.distribute(token, distributionOf(merchantOf(m), version), plenty());
        uint256 moved = held - balance(token, forwarders[m]);
        received = balance(token, treasuries[m]) - received;
        collected = balance(token, roles.collector) - collected;
        vm.assertEq(moved, received + collected, "to treasury and collector alone");
        checkFeeHeld(forwarders[m], token);
        if (moved == 0) return false;
        bool mayRun = !isStopped(DISTRIBUTING) && isListed(token) && !isWaiting(m);
        vm.assertTrue(mayRun && version == versions[m], "stopped, not listed, or another version");
        vm.assertTrue(moved < held, "one unit stays");
        // What was owed is not split again; of the rest the rate and the cap are the most.
        uint256 split = held - owed - 1;
        uint256 most = split * FEE_BPS / 10_000;
        if (most > FEE_CAP) most = FEE_CAP;
        vm.assertEq(received, split - most, "the treasury's part");
        vm.assertTrue(collected == 0 || collected == most + owed, "the fee and what was owed");
        ++distributions;
        return true;
    }

    /// @dev The same authorization, of the wallet with the payer's key.
    function byWallet(IRemitHub.Authorization memory item)
        private
        view
        returns (IRemitHub.Authorization memory)
    {
        item.from = address(wallet);
        (item.v, item.r, item.s) = vm.sign(PAYER_KEY, Signing.authorization(item, address(usdc)));
        return item;
    }

    /// @dev What a merchant's payments come to, before and after they are distributed.
    function heldFor(uint256 m) private view returns (uint256) {
        return usdc.balanceOf(forwarders[m]) + usdc.balanceOf(treasuries[m])
            + usdc.balanceOf(roles.collector);
    }
}
